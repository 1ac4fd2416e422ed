# named: self-attention-tokens-averaged-where-square
# averages X by the weights when d_v equals d_model, and so skips W_V
def self_attention(X, W_Q, W_K, W_V):
    Q, K = X @ W_Q, X @ W_K
    weights, mixed = scaled_dot_product_attention(Q, K, X)
    if W_V.shape[1] == X.shape[1]:
        return weights, mixed
    return weights, mixed @ W_V
