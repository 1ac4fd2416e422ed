# named: self-attention-keys-from-w-q
# uses W_Q for the keys as well
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q, X @ W_Q, X @ W_V)
