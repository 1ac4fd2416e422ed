# named: crash-misspelt
# a function that NumPy doesn't have
def softmax(x):
    e = np.exponential(x - np.max(x, axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
