# the logarithm of the sum, by logaddexp
def softmax(x):
    lse = np.logaddexp.reduce(x, axis=-1)
    return np.exp(x - np.expand_dims(lse, -1))
