# named: self-attention-input-changed, self-attention-tokens-centred
# X -= its mean: centres the tokens, and writes them into the array that was given
def self_attention(X, W_Q, W_K, W_V):
    d = W_Q.shape[1]
    X -= X.mean(axis=0)
    return scaled_dot_product_attention(X @ W_Q, X @ W_K, X @ W_V)
