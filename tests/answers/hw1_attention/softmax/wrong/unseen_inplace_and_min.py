# named: softmax-input-changed, softmax-shift-not-by-largest
# what: subtracts the minimum, in place
def softmax(x):
    x -= x.min(axis=-1, keepdims=True)
    np.exp(x, out=x)
    x /= x.sum(axis=-1, keepdims=True)
    return x
