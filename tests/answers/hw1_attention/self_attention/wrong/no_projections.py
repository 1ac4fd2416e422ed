# named: self-attention-queries-and-keys-not-projected
# attends without any matrix but W_V
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X, X, X @ W_V)
