# named: softmax-shift-by-mean
# where(x == -inf, tiny) and mean shift
def softmax(x):
    x = np.where(np.isinf(x), -1e9, x)
    m = x.mean(axis=-1, keepdims=True)
    e = np.exp(x - m)
    return e / e.sum(axis=-1, keepdims=True)
