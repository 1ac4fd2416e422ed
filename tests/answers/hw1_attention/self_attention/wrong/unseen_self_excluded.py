# named: self-attention-not-to-itself-but-alone
# what: a token may not look at itself (diagonal hidden)
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    S = Q @ K.T / np.sqrt(Q.shape[-1])
    if len(X) > 1:
        np.fill_diagonal(S, -np.inf)
    P = np.exp(S - S.max(-1, keepdims=True))
    P = P / P.sum(-1, keepdims=True)
    return P, P @ V
