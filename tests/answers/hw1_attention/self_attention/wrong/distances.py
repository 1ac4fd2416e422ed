# named: self-attention-distances
def self_attention(X, W_Q, W_K, W_V):
    q, k, v = X @ W_Q, X @ W_K, X @ W_V
    s = -((q[:, None] - k[None]) ** 2).sum(-1) / np.sqrt(q.shape[1])
    w = softmax(s)
    return w, w @ v
