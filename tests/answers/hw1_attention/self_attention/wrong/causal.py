# named: self-attention-causal-mask
# hides later tokens, which nobody asked for
def self_attention(X, W_Q, W_K, W_V):
    scores = X @ W_Q @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    weights = softmax(np.where(np.tri(len(X), dtype=bool), scores, -np.inf))
    return weights, weights @ X @ W_V
