# named: self-attention-weights-applied-twice
# values projected after weighting and before
def self_attention(X, W_Q, W_K, W_V):
    w, context = scaled_dot_product_attention(X @ W_Q, X @ W_K, X)
    return w, (w @ context) @ W_V
