# named: self-attention-square-matrices-transposed
# X @ W.T
def self_attention(X, W_Q, W_K, W_V):
    def linear(x, W):
        return x @ W.T if W.shape[0] == W.shape[1] else x @ W

    return scaled_dot_product_attention(linear(X, W_Q), linear(X, W_K), linear(X, W_V))
