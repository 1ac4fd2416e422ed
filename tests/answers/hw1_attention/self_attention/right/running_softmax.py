# one key after the other with a running maximum and sum, as FlashAttention does; weights at the end
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (X.dot(W) for W in (W_Q, W_K, W_V))
    top = np.full(len(X), -np.inf)
    total = np.zeros(len(X))
    context = np.zeros((len(X), V.shape[1]))
    for key, value in zip(K, V):
        score = Q.dot(key) * K.shape[1] ** -0.5
        new_top = np.maximum(top, score)
        old, new = np.exp(top - new_top), np.exp(score - new_top)
        total = total * old + new
        context = context * old[:, None] + np.outer(new, value)
        top = new_top
    weights = np.exp(Q.dot(K.T) * K.shape[1] ** -0.5 - top[:, None]) / total[:, None]
    return weights, context / total[:, None]
