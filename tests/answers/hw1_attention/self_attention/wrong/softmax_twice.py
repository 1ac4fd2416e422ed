# named: self-attention-softmax-twice
# softmax of the weights
def self_attention(X, W_Q, W_K, W_V):
    w, c = scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
    w = softmax(w)
    return w, w @ (X @ W_V)
