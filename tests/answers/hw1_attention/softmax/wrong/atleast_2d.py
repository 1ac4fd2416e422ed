# named: softmax-vector-comes-back-as-a-matrix
# a vector comes back as a matrix with one row
def softmax(x):
    x = np.atleast_2d(x)
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return e / np.sum(e, axis=-1, keepdims=True)
