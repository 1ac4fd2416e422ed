# what is local, by its names
_NAMES = {"query", "keys", "values", "scores", "weights", "context", "output"}


def worked_example(
    X: np.ndarray, W_Q: np.ndarray, W_K: np.ndarray, W_V: np.ndarray, token: int
) -> dict[str, np.ndarray]:
    d_k = W_Q.shape[1]
    query, keys, values = X[token, :] @ W_Q, X @ W_K, X @ W_V
    scores = (query[None, :] * keys).sum(axis=1) / d_k**0.5
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    context = np.average(values, axis=0, weights=weights)
    output = X[token, :] + context
    return {name: value for name, value in locals().items() if name in _NAMES}
