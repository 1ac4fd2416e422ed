# named: softmax-one-more-score
# adapted from "Attention is off by one" (softmax1): the denominator has an extra 1, so rows
# sum to less than 1
def softmax(x):
    m = np.maximum(x.max(axis=-1, keepdims=True), 0)
    e = np.exp(x - m)
    return e / (np.exp(-m) + e.sum(axis=-1, keepdims=True))
