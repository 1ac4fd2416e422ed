# named: self-attention-scale-d-model, self-attention-softmax-over-queries
# what: scaled by the root of W_Q.shape[0] (d_model) and softmax over axis 0
def self_attention(X, W_Q, W_K, W_V):
    S = X @ W_Q @ W_K.T @ X.T / np.sqrt(W_Q.shape[0])
    E = np.exp(S - S.max(0))
    A = E / E.sum(0)
    return A, A @ X @ W_V
