# masked arrays: -inf takes no part
def softmax(x: np.ndarray) -> np.ndarray:
    """Masked arrays: what is -inf takes no part at all, and is filled with 0 at the end."""
    scores = np.ma.masked_equal(x, -np.inf, copy=True)
    flat = scores.reshape(-1, scores.shape[-1])
    flat = flat - flat.max(axis=1)[:, np.newaxis]
    powers = np.ma.exp(flat)
    shares = powers / powers.sum(axis=1)[:, np.newaxis]
    return np.asarray(shares.filled(0.0)).reshape(x.shape)
