# named: self-attention-not-to-itself-but-alone
# diagonal hidden
def self_attention(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    scores = Q @ K.T / np.sqrt(W_K.shape[1])
    # a word already knows itself, so it only looks at the others
    scores = np.where(np.eye(len(X), dtype=bool), -1e9, scores)
    weights = softmax(scores)
    return weights, weights @ V
