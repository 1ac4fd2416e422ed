# named: relation-rounded
# rounds the shares, as a print would
def softmax(x):
    e = np.exp(x - np.max(x, axis=-1, keepdims=True))
    return np.round(e / np.sum(e, axis=-1, keepdims=True), 4)
