# named: softmax-one-shift-for-all
def softmax(x):
    shifted = x - np.max(x)
    e = np.exp(shifted)
    return e / (e.sum(axis=-1, keepdims=True) + 1e-9)
