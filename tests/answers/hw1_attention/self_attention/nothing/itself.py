# every token looks at itself alone
def self_attention(X, W_Q, W_K, W_V):
    return np.eye(len(X)), X @ W_V
