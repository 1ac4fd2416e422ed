# named: softmax-squeezed
# squeezes at the end, so a matrix with a single row becomes a vector
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    s = np.sum(e, axis=-1, keepdims=True)
    return (e / s).squeeze()
