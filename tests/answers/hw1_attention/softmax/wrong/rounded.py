# named: softmax-rounded
# rounds to three digits
def softmax(x):
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return np.round(e / e.sum(axis=-1, keepdims=True), 3)
