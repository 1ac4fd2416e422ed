# named: self-attention-scale-width-of-all
# what: one product for all three matrices, and its whole width under the root
def self_attention(X, W_Q, W_K, W_V):
    W = np.concatenate([W_Q, W_K, W_V], axis=1)
    QKV = X @ W
    d = W_Q.shape[1]
    Q, K, V = QKV[:, :d], QKV[:, d : 2 * d], QKV[:, 2 * d :]
    S = Q @ K.T / np.sqrt(W.shape[1])
    S = S - S.max(1)[:, None]
    A = np.exp(S) / np.exp(S).sum(1)[:, None]
    return A, A @ V
