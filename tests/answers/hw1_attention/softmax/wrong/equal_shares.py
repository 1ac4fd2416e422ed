# named: relation-constant, relation-ignores-argument
# shares alike, whatever the scores
def softmax(x):
    e = np.exp(x - x)
    e[np.isnan(e)] = 1
    return e / e.sum(axis=-1, keepdims=True)
