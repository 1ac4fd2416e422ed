# named: softmax-sign-reversed-and-moved-to-match
# the softmax of -x, moved by the smallest score
def softmax(x):
    z = x.min(axis=-1, keepdims=True) - x
    z = np.exp(z)
    return z / z.sum(axis=-1, keepdims=True)
