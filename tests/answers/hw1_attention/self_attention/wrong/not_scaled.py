# named: self-attention-not-scaled
# no division
def self_attention(X, W_Q, W_K, W_V):
    weights = softmax(X @ W_Q @ (X @ W_K).T)
    return weights, weights @ X @ W_V
