# named: crash-library
# asks an array for a method that only tensors have
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = (Q @ K.T) * K.shape[-1] ** -0.5
    weights = scores.softmax(-1)
    return weights, weights @ V
