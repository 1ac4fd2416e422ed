# named: self-attention-tokens-standardised-with-epsilon
# what: tokens are standardised (layer norm) before projecting
def self_attention(X, W_Q, W_K, W_V):
    X = (X - X.mean(axis=1, keepdims=True)) / (X.std(axis=1, keepdims=True) + 1e-5)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
