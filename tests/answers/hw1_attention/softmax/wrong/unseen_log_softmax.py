# named: softmax-logarithm
# what: returns the logarithm of the softmax
def softmax(x):
    m = x.max(-1, keepdims=True)
    return x - m - np.log(np.exp(x - m).sum(-1, keepdims=True))
