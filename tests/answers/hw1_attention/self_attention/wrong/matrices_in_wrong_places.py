# named: self-attention-queries-and-keys-exchanged
# K and Q exchanged through positional call
def self_attention(X, W_Q, W_K, W_V):
    Q = np.dot(X, W_Q)
    K = np.dot(X, W_K)
    V = np.dot(X, W_V)
    return scaled_dot_product_attention(K, Q, V)
