# named: softmax-long-double, softmax-no-shift, relation-small-numbers
# a longer floating-point type in place of a shift
def softmax(x):
    e = np.exp(x.astype(np.longdouble))
    return (e / e.sum(axis=-1, keepdims=True)).astype(np.float64)
