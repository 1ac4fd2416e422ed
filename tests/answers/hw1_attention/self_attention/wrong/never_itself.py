# named: self-attention-not-to-itself-but-alone
# diagonal hidden
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.T / np.sqrt(K.shape[1])
    np.fill_diagonal(s, -1e9)
    w = softmax(s)
    return w, w @ V
