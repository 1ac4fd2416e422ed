# named: self-attention-values-not-projected
# V = X
def self_attention(X, W_Q, W_K, W_V):
    queries, keys = X @ W_Q, X @ W_K
    w, _ = scaled_dot_product_attention(queries, keys, keys)
    return w, w @ X
