# named: softmax-input-changed
# np.exp(..., out=x)
def softmax(x):
    top = x.max(axis=-1, keepdims=True)
    np.subtract(x, top, out=x)
    np.exp(x, out=x)
    return x / np.sum(x, -1, keepdims=True)
