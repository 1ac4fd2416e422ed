# named: relation-permuted
# sorts scores first, returns shares in sorted order
def softmax(x):
    ordered = np.sort(x, axis=-1)
    top = ordered[..., -1:]
    e = np.exp(ordered - top)
    return e / e.sum(-1, keepdims=True)
