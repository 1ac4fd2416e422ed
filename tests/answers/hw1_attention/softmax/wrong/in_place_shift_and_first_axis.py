# named: softmax-first-axis, softmax-input-changed
# x -= max, over axis 0
def softmax(x):
    x -= x.max(axis=0, keepdims=True)
    e = np.exp(x)
    return e / e.sum(axis=0, keepdims=True)
