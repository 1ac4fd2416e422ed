# named: softmax-whole-array-unless-matrix
# a branch for matrices that breaks three axes
def softmax(x):
    if x.ndim == 2:
        e = np.exp(x - x.max(axis=1, keepdims=True))
        return e / e.sum(axis=1, keepdims=True)
    e = np.exp(x - x.max())
    return e / e.sum()
