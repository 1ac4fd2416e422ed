# named: nothing
# returns shares and their sum
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    p = e / np.sum(e, axis=-1, keepdims=True)
    return p, p.sum(axis=-1)
