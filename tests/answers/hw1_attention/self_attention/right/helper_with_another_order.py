# a helper with the name of the earlier exercise and PyTorch's order of results
def scaled_dot_product_attention(q, k, v):
    s = np.einsum("qd,kd->qk", q, k) / np.sqrt(q.shape[1])
    p = np.exp(s - s.max(1, keepdims=True))
    p = p / p.sum(1, keepdims=True)
    return p @ v, p


def self_attention(X, W_Q, W_K, W_V):
    context, weights = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    return weights, context
