# shifts first, then long double, and float64 at the end
def softmax(x, axis=-1):
    x = np.asarray(x, dtype=np.longdouble)
    z = np.subtract(x, np.amax(x, axis=axis, keepdims=True))
    numerator = np.e**z
    return np.asarray(numerator / numerator.sum(axis=axis, keepdims=True), dtype=float)
