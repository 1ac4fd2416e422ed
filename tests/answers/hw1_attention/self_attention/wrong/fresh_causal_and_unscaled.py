# named: self-attention-not-scaled, self-attention-causal-mask
# causal and never scaled
def self_attention(X, W_Q, W_K, W_V):
    scores = (X @ W_Q) @ (X @ W_K).T
    future = np.triu(np.ones_like(scores), k=1).astype(bool)
    scores = np.where(future, -np.inf, scores)
    weights = softmax(scores)
    return weights, weights @ (X @ W_V)
