# named: softmax-sign-reversed
# subtracts the scores from the largest
def softmax(x):
    e = np.exp(np.max(x, axis=-1, keepdims=True) - x)
    return e / e.sum(axis=-1, keepdims=True)
