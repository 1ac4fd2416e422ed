# takes the row of self_attention
def worked_example(X, W_Q, W_K, W_V, token):
    A, C = self_attention(X, W_Q, W_K, W_V)
    Q, K = X @ W_Q, X @ W_K
    row = slice(token, token + 1)
    S = np.squeeze(Q[row] @ K.T, axis=0) / np.sqrt(K.shape[1])
    names = ("query", "keys", "values", "scores", "weights", "context", "output")
    return dict(zip(names, (Q[token], K, X @ W_V, S, A[token], C[token], C[token] + X[token])))
