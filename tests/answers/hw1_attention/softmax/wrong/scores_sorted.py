# named: relation-permuted
# sorts the scores to find the largest, and goes on with the sorted ones
def softmax(x):
    s = np.sort(x, axis=-1)
    e = np.exp(s - s[..., -1:])
    return e / e.sum(axis=-1, keepdims=True)
