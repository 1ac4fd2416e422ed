# named: self-attention-scores-both-ways
# scores + scores.T over 2
def self_attention(X, W_Q, W_K, W_V):
    scores = (X @ W_Q) @ (X @ W_K).T / np.sqrt(W_Q.shape[1])
    scores = (scores + scores.T) / 2  # attention between two words is mutual
    weights = softmax(scores)
    return weights, weights @ (X @ W_V)
