# named: softmax-input-changed
# writes a very low number over -inf, in the caller's array
def softmax(x):
    x[np.isneginf(x)] = -1e30
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
