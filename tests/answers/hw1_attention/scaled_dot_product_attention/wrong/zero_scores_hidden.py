# named: attention-zero-scores-hidden, attention-zeros-hidden
# a score of 0 is taken for padding
def scaled_dot_product_attention(
    Q: np.ndarray, K: np.ndarray, V: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    scores = np.where(scores == 0, -np.inf, scores)
    scores = scores - scores.max(axis=-1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=-1, keepdims=True)
    return weights, weights @ V
