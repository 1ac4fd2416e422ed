# named: softmax-second-axis-beyond-vectors
# axis=1 hard-coded, a special case for one axis: three axes go wrong
def softmax(x):
    if x.ndim < 2:
        return softmax(x[None])[0]
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
