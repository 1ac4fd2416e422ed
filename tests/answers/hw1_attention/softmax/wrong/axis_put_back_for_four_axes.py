# named: crash-index
# copied from a program that has batches of heads
def softmax(x):
    top = np.max(x, axis=-1)[:, :, :, np.newaxis]
    e = np.exp(x - top)
    return e / np.sum(e, axis=-1)[:, :, :, np.newaxis]
