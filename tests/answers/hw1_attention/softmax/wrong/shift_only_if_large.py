# named: softmax-shift-no-less-than-zero
# shifts the scores only when the largest of all is above 0, so rows of very negative scores such as [-1000, -1000] give 0/0
def softmax(x: np.ndarray) -> np.ndarray:
    shift = np.maximum(x.max(axis=-1, keepdims=True), 0)
    numerators = np.exp(x - shift)
    return numerators / numerators.sum(axis=-1, keepdims=True)
