# named: nothing
# max over axis 0 of the flattened rows is subtracted
def softmax(x):
    shape = x.shape
    flat = x.reshape(-1, shape[-1])
    flat = np.exp(flat - flat.max(axis=0))
    total = flat.sum(axis=1)
    out = np.empty_like(flat)
    for i in range(len(flat)):
        out[i] = flat[i] / total[i]
    return out.reshape(shape)
