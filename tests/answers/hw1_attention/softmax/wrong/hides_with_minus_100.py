# named: softmax-hidden-made-finite
# a finite number in place of -inf
def softmax(x):
    y = x.copy()
    y[np.isinf(y)] = -100
    y = y - np.max(y, axis=-1, keepdims=True)
    return np.exp(y) / np.sum(np.exp(y), axis=-1, keepdims=True)
