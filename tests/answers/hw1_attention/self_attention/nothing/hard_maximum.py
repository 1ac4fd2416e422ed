# everything to the best key; equal ones share
def self_attention(X, W_Q, W_K, W_V):
    scores = X @ W_Q @ (X @ W_K).T
    best = (scores > scores.max(axis=1, keepdims=True) - 1e-9).astype(float)
    weights = best / best.sum(axis=1, keepdims=True)
    return weights, weights @ X @ W_V
