# named: self-attention-small-weights-cut-off
# weights below a hundredth are set to 0
def self_attention(X, W_Q, W_K, W_V):
    w, c = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    w = np.where(w < 0.01, 0, w)
    return w, w @ (X @ W_V)
