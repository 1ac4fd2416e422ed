# named: softmax-sigmoid-normalised
def softmax(x: np.ndarray) -> np.ndarray:
    with np.errstate(over="ignore"):
        s = 1 / (1 + np.exp(-x))
    return s / s.sum(axis=-1, keepdims=True)
