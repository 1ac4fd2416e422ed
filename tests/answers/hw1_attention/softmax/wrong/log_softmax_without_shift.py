# named: softmax-unshifted-below-a-logarithm
# exp(x - log(sum(exp x))): not stable
def softmax(x: np.ndarray) -> np.ndarray:
    """Softmax through the log domain, which is more stable."""
    log_z = np.log(np.sum(np.exp(x), axis=-1, keepdims=True))
    return np.exp(x - log_z)
