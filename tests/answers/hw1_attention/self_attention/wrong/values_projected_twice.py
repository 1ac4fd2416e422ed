# named: self-attention-values-projected-twice
# W_V is applied to the context again
def self_attention(X, W_Q, W_K, W_V):
    weights, context = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    return weights, context @ W_V
