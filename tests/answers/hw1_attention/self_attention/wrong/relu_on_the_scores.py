# named: self-attention-negative-scores-cut
# clips scores at 0 before softmax
def self_attention(X, W_Q, W_K, W_V):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    weights = softmax(scores.clip(min=0))
    return weights, weights @ (X @ W_V)
