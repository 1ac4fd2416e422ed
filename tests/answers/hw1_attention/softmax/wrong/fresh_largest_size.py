# named: softmax-negative-rows-not-raised
# shifts by the largest absolute value, so [-1000, -1000] underflows to 0/0; harmless ravel of one axis
def softmax(x):
    x = np.asarray(x)
    biggest = np.abs(np.where(np.isinf(x), 0, x)).max(axis=-1, keepdims=True)
    e = np.exp(x - biggest)
    return e / e.sum(axis=-1, keepdims=True)
