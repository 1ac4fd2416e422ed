# named: softmax-nothing-returned
# forgets to return
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    e / e.sum(axis=-1, keepdims=True)
