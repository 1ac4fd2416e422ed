# named: self-attention-scale-size-of-values, self-attention-softmax-over-queries
# axis 0, divided by root d_v
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    s = Q @ K.T / np.sqrt(V.shape[1])
    w = softmax(s.T).T
    return w, w @ V
