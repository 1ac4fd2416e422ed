# named: self-attention-scores-returned
# returns the scores for the weights
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.T / np.sqrt(K.shape[1])
    w = softmax(s)
    return s, w @ V
