# named: softmax-not-normalised
# stops at the exponentials
def softmax(x):
    return np.exp(x - x.max(axis=-1, keepdims=True))
