# named: self-attention-residual-where-it-fits
# adds x to the context when shapes fit
def self_attention(X, W_Q, W_K, W_V):
    w, context = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    if context.shape == X.shape:
        context = context + X
    return w, context
