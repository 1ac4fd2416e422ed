# right; one wide projection, cut with np.split
def self_attention(X, W_Q, W_K, W_V):
    d = W_Q.shape[1]
    Q, K, V = np.split(X @ np.concatenate([W_Q, W_K, W_V], axis=1), [d, 2 * d], axis=1)
    scores = np.inner(Q, K) / np.sqrt(d)
    e = np.exp(scores - np.max(scores, axis=1)[:, np.newaxis])
    weights = np.diag(1 / e.sum(axis=1)) @ e
    return weights, weights @ V
