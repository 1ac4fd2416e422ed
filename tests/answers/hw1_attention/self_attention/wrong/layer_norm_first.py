# named: self-attention-tokens-standardised-with-epsilon, self-attention-tokens-standardised-with-epsilon-under-the-root
# normalises tokens as a layer norm does
def self_attention(X, W_Q, W_K, W_V):
    normed = (X - X.mean(axis=-1, keepdims=True)) / np.sqrt(X.var(axis=-1, keepdims=True) + 1e-5)
    Q, K, V = normed @ W_Q, normed @ W_K, normed @ W_V
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    e = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = e / e.sum(axis=-1, keepdims=True)
    return weights, weights @ V
