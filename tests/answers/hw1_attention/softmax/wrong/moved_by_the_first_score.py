# named: softmax-shift-by-the-first
# shift by first element, not max; overflow if first small
def softmax(x):
    shifted = x - x[..., :1]  # any constant will do
    e = np.exp(shifted)
    return e / np.sum(e, axis=-1, keepdims=True)
