# named: softmax-small-shares-cut-off
# sets shares below a thousandth to 0
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    p = e / e.sum(axis=-1, keepdims=True)
    return np.where(p < 1e-3, 0.0, p)
