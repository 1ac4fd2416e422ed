# named: softmax-hidden-not-quite-zero
# a floor of 1e-7 under every share (so -inf gets no exact 0)
def softmax(x):
    z = x - np.amax(x, axis=-1, keepdims=True)
    p = np.exp(z) / np.sum(np.exp(z), axis=-1, keepdims=True)
    return np.clip(p, 1e-7, 1 - 1e-7)
