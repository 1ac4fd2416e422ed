# named: nothing
# takes a score of exactly 0 for one that is hidden
def softmax(x):
    x = np.where(x == 0, -np.inf, x)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
