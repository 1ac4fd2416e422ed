# named: self-attention-input-changed
# scales W_Q in place
def self_attention(X, W_Q, W_K, W_V):
    W_Q /= np.sqrt(W_Q.shape[1])
    weights = softmax(X @ W_Q @ (X @ W_K).T)
    return weights, weights @ X @ W_V
