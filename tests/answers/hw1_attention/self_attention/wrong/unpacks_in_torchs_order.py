# named: self-attention-order-swapped, self-attention-softmax-over-queries
# thinks attention returns (context, weights), then fixes
def self_attention(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(axis=0))
    w = e / e.sum(axis=0)
    return w @ V, w
