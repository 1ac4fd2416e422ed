# every token counts alike
def self_attention(X, W_Q, W_K, W_V):
    weights = np.full((len(X), len(X)), 1 / len(X))
    return weights, weights @ X @ W_V
