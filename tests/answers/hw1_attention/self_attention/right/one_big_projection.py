def self_attention(X, W_Q, W_K, W_V):
    d_k = W_Q.shape[1]
    Q, K, V = np.split(X @ np.hstack([W_Q, W_K, W_V]), [d_k, 2 * d_k], axis=1)
    return scaled_dot_product_attention(Q, K, V)
