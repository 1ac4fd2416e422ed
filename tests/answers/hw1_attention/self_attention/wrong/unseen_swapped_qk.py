# named: self-attention-queries-and-keys-exchanged
# what: queries from W_K, keys from W_Q
def self_attention(X, W_Q, W_K, W_V):
    projections = [np.matmul(X, m) for m in (W_K, W_Q, W_V)]
    scores = projections[0] @ projections[1].T / np.sqrt(projections[0].shape[1])
    scores -= scores.max(axis=1, keepdims=True)
    w = np.exp(scores)
    w /= w.sum(1, keepdims=True)
    return w, w @ projections[2]
