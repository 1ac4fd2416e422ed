# named: softmax-scores-halved
# a temperature left in
def softmax(x, temperature=2.0):
    x = x / temperature
    x = x - np.max(x, axis=-1, keepdims=True)
    return np.exp(x) / np.exp(x).sum(axis=-1, keepdims=True)
