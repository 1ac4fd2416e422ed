# named: nothing
# one joint product, split into thirds
def self_attention(X, W_Q, W_K, W_V):
    W = np.hstack([W_Q, W_K, W_V])
    Q, V, K = np.split(X @ W, [W_Q.shape[1], W_Q.shape[1] + W_V.shape[1]], axis=1)
    return scaled_dot_product_attention(Q, K, V)
