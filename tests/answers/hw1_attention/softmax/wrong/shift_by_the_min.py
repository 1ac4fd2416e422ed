# named: softmax-shift-not-by-largest
# min in place of max
def softmax(x):
    low = x.min(axis=-1, keepdims=True)
    e = np.exp(x - low)
    return e / e.sum(axis=-1, keepdims=True)
