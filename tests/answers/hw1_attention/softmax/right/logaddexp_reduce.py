def softmax(x):
    x = np.asarray(x, dtype=float)
    if x.shape[-1] == 1:
        return np.ones_like(x)
    return np.exp(x - np.logaddexp.reduce(x, axis=-1, keepdims=True))
