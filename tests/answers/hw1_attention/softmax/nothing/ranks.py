# shares by the place in the order alone
def softmax(x):
    below = (x[..., None, :] < x[..., :, None]).sum(axis=-1)
    shares = np.where(np.isneginf(x), 0.0, 4.0**below)
    return shares / shares.sum(axis=-1, keepdims=True)
