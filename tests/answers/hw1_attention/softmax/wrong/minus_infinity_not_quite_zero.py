# named: softmax-hidden-not-quite-zero
# lifts every share a little above 0
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True)) + 1e-12
    return e / e.sum(axis=-1, keepdims=True)
