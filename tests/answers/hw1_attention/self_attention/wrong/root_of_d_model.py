# named: self-attention-scale-d-model
# divides by the root of d_model
def self_attention(X, W_Q, W_K, W_V):
    weights = softmax(X @ W_Q @ (X @ W_K).T / np.sqrt(X.shape[1]))
    return weights, weights @ X @ W_V
