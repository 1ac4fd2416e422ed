# named: self-attention-keys-reshaped
# reshape for transpose
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d_k = K.shape[1]
    scores = Q @ K.reshape(d_k, -1) / np.sqrt(d_k)
    w = softmax(scores)
    return w, w @ V
