# named: self-attention-winner-takes-all
# argmax in place of softmax
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights = np.zeros((len(X), len(X)))
    weights[np.arange(len(X)), np.argmax(Q @ K.T, axis=1)] = 1
    return weights, weights @ V
