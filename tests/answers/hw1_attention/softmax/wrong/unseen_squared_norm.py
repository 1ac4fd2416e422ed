# named: softmax-divided-by-the-norm
# what: divided by the euclidean norm of the exponentials
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / np.linalg.norm(e, axis=-1, keepdims=True)
