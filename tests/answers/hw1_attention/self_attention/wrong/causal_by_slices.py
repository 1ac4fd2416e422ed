# named: self-attention-causal-mask
# each token sees itself and those before
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    n = len(X)
    weights = np.zeros((n, n))
    for t in range(n):
        weights[t, : t + 1] = softmax(K[: t + 1] @ Q[t] / np.sqrt(Q.shape[1]))
    return weights, weights @ V
