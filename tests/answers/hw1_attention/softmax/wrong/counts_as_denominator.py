# named: relation-factor
# divides by the number of entries
def softmax(x):
    n = x.shape[-1]
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / n
