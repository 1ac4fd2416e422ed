# random weights, and their average of the values
def self_attention(X, W_Q, W_K, W_V):
    weights = np.random.default_rng(len(X)).random((len(X), len(X)))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights, weights @ X @ W_V
