# named: softmax-logarithm
# log-softmax by own logsumexp
def softmax(x):
    m = np.max(x, axis=-1, keepdims=True)
    lse = m + np.log(np.sum(np.exp(x - m), axis=-1, keepdims=True))
    return x - lse
