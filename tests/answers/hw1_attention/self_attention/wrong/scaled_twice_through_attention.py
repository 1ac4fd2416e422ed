# named: self-attention-root-forgotten
# scales, then calls attention, which scales
def self_attention(X, W_Q, W_K, W_V):
    d_k = W_K.shape[1]
    Q = X @ W_Q / np.sqrt(d_k)
    return scaled_dot_product_attention(Q, X @ W_K, X @ W_V)
