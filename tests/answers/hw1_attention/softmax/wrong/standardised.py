# named: softmax-scores-standardised
# standardises the scores first
def softmax(x):
    z = (x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)
    e = np.exp(z)
    return e / e.sum(axis=-1, keepdims=True)
