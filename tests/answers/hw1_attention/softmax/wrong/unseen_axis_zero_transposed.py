# named: softmax-first-axis
# what: normalises along the first axis, by transposing
def softmax(x):
    e = np.exp((x.T - x.T.max(axis=-1, keepdims=True)))
    return (e / e.sum(axis=-1, keepdims=True)).T
