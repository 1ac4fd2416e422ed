# named: self-attention-scaled-after-softmax
# divides the weights
def self_attention(X, W_Q, W_K, W_V):
    weights = softmax(X @ W_Q @ (X @ W_K).T) / np.sqrt(W_Q.shape[1])
    return weights, weights @ X @ W_V
