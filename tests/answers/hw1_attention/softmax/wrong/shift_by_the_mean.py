# named: softmax-shift-by-finite-mean, softmax-shift-not-by-largest
# subtracts the mean, which doesn't bound the largest score
def softmax(x):
    finite = np.where(np.isinf(x), 0, x)
    e = np.exp(x - finite.mean(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
