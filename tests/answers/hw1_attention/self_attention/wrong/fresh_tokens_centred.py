# named: self-attention-tokens-centred
# the tokens are centred first (each feature's mean is taken away)
def self_attention(X, W_Q, W_K, W_V):
    X = X - X.mean(axis=0)
    projected = [X @ W for W in (W_Q, W_K, W_V)]
    return scaled_dot_product_attention(*projected)
