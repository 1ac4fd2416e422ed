# right; values, weights and denominator in one product
def scaled_dot_product_attention(Q, K, V):
    m = len(K)
    big = np.hstack([V, np.eye(m), np.ones((m, 1))])
    S = Q @ K.T / np.sqrt(K.shape[-1])
    together = np.exp(S - S.max(axis=-1, keepdims=True)) @ big
    together /= together[:, -1:]
    return together[:, V.shape[1] : -1], together[:, : V.shape[1]]
