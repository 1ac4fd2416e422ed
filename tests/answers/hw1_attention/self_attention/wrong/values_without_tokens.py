# named: self-attention-values-without-tokens
# the values are W_V itself
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, W_V)
