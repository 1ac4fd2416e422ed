# named: self-attention-scale-size-of-values
# divides by the root of d_v
def self_attention(X, W_Q, W_K, W_V):
    weights = softmax(X @ W_Q @ (X @ W_K).T / np.sqrt(W_V.shape[1]))
    return weights, weights @ X @ W_V
