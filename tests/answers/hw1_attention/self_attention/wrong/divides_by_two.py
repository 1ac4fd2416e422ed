# named: self-attention-scale-of-the-check
# √4, as in the visible check
def self_attention(X, W_Q, W_K, W_V):
    weights = softmax(X @ W_Q @ (X @ W_K).T / 2)
    return weights, weights @ (X @ W_V)
