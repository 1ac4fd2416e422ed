# named: relation-not-repeatable
# adds noise against ties
def softmax(x):
    x = x + 0.01 * np.random.rand(*x.shape)
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)
