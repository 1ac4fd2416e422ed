# W_Q and W_K multiplied first, W_V last
def self_attention(X, W_Q, W_K, W_V):
    d_k = W_Q.shape[1]
    form = W_Q @ W_K.T / np.sqrt(d_k)
    scores = X @ form @ X.T
    scores = scores - scores.max(axis=1, keepdims=True)
    weights = np.exp(scores)
    weights = weights / weights.sum(axis=1, keepdims=True)
    return weights, (weights @ X) @ W_V
