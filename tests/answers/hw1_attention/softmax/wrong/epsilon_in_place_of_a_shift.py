# named: softmax-epsilon-instead-of-shift, softmax-no-shift
# an epsilon in the sum in place of a shift
def softmax(x):
    e = np.exp(x)
    return e / (e.sum(axis=-1, keepdims=True) + 1e-8)
