# named: self-attention-values-added
# adds the context to the values
def self_attention(X, W_Q, W_K, W_V):
    weights, context = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    return weights, X @ W_V + context
