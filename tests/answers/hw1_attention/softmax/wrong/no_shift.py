# named: softmax-no-shift, relation-small-numbers
# overflows
def softmax(x):
    e = np.exp(x)
    return e / e.sum(axis=-1, keepdims=True)
