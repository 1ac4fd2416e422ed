# named: self-attention-queries-and-keys-exchanged
# makes queries with W_K and keys with W_Q
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_K, X @ W_Q, X @ W_V)
