# named: self-attention-values-added
# what: adds the token's own value to its context
def self_attention(X, W_Q, W_K, W_V):
    q = X.dot(W_Q)
    k = X.dot(W_K)
    v = X.dot(W_V)
    a = softmax(q.dot(k.T) / np.sqrt(k.shape[1]))
    return a, v + a.dot(v)
