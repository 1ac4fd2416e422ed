# named: self-attention-softmax-unstable, relation-small-numbers
# its own softmax without a shift
def self_attention(X, W_Q, W_K, W_V):
    e = np.exp(X @ W_Q @ (X @ W_K).T / np.sqrt(W_Q.shape[1]))
    weights = e / e.sum(axis=1, keepdims=True)
    return weights, weights @ X @ W_V
