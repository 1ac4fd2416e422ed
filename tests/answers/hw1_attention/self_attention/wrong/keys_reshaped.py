# named: self-attention-keys-reshaped
# reshape fits the sizes but mixes the entries
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.reshape(K.shape[1], -1) / np.sqrt(K.shape[1])
    weights = softmax(scores)
    return weights, weights @ V
