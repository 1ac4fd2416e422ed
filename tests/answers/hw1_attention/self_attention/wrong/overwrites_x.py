# named: self-attention-input-changed
# X = X @ W_Q used on
def self_attention(X, W_Q, W_K, W_V):
    d = W_Q.shape[1]
    X -= X.mean(axis=0)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
