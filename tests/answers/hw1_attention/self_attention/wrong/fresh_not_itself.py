# named: self-attention-not-to-itself-but-alone
# no token may look at itself
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    if len(X) > 1:
        np.fill_diagonal(scores, -1e9)
    weights = softmax(scores)
    return weights, weights @ V
