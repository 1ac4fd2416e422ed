# named: self-attention-scale-half-of-d-k
# a power binds tighter than a division
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = softmax(Q @ K.T / (K.shape[1] ** 1 / 2))
    return weights, weights @ V
