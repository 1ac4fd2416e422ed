# named: self-attention-scale-number-of-tokens
# divides by the root of the number of tokens
def self_attention(X, W_Q, W_K, W_V):
    weights = softmax(X @ W_Q @ (X @ W_K).T / np.sqrt(len(X)))
    return weights, weights @ X @ W_V
