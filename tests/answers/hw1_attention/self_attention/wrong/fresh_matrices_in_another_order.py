# named: self-attention-queries-and-keys-exchanged
# W_Q and W_K are swapped, by a generator
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (np.matmul(X, W) for W in (W_K, W_Q, W_V))
    return scaled_dot_product_attention(Q, K, V)
