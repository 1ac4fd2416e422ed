# named: softmax-keepdims-lost
# loses the axis: wrong or a crash beyond vectors
def softmax(x):
    e = np.exp(x - x.max(axis=-1))
    return e / e.sum(axis=-1)
