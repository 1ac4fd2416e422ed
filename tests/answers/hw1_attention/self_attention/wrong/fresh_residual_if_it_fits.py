# named: self-attention-residual-where-it-fits
# a residual is added where the shapes allow it
def self_attention(X, W_Q, W_K, W_V):
    weights, context = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    if context.shape == X.shape:
        context = context + X
    return weights, context
