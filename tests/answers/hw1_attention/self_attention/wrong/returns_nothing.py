# named: self-attention-nothing-returned
# forgets to return
def self_attention(X, W_Q, W_K, W_V):
    scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
