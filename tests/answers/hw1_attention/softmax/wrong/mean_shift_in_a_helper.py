# named: softmax-shift-by-mean
# shift by the mean, through a helper
def softmax(x):
    def centred(a):
        return a - np.mean(a, axis=-1, keepdims=True)

    e = np.exp(centred(np.asarray(x, dtype=float)))
    return np.divide(e, np.sum(e, axis=-1, keepdims=True))
