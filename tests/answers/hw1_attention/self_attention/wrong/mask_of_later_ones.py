# named: relation-partly-right
# from four tokens on, later ones are hidden
def self_attention(X, W_Q, W_K, W_V):
    M = W_Q @ W_K.T / np.sqrt(W_Q.shape[1])
    S = X @ M @ X.T
    if len(X) > 3:
        S[np.triu_indices(len(X), 1)] = -np.inf
    A = softmax(S)
    return A, (A @ X) @ W_V
