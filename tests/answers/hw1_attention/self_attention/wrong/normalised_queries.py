# named: self-attention-tokens-normalised
# x normalised first
def self_attention(X, W_Q, W_K, W_V):
    X = X / np.linalg.norm(X, axis=-1, keepdims=True)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
