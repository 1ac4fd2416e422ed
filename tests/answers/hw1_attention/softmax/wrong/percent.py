# named: relation-factor
# returns percent
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return 100 * e / e.sum(axis=-1, keepdims=True)
