def self_attention(X, W_Q, W_K, W_V):
    """Scores are a bilinear form of X; values are mixed before they are projected."""
    M = W_Q @ W_K.T / np.sqrt(W_Q.shape[1])
    attention_weights = softmax(X @ M @ X.T)
    return attention_weights, (attention_weights @ X) @ W_V
