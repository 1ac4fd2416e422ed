# named: self-attention-matrices-transposed
# multiplies with the transposed matrices, as for nn.Linear's weights
def self_attention(X, W_Q, W_K, W_V):
    return scaled_dot_product_attention(X @ W_Q.T, X @ W_K.T, X @ W_V.T)
