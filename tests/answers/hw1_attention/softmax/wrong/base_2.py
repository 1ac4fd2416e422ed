# named: softmax-base-two
# powers of 2 instead of e
def softmax(x):
    e = np.exp2(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
