# named: self-attention-root-forgotten
# scales the queries and then lets the earlier function scale again
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q / np.sqrt(W_Q.shape[1]), X @ W_K, X @ W_V)
