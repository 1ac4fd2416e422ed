# named: self-attention-cut-into-thirds-roughly
def self_attention(X, W_Q, W_K, W_V):
    qkv = X @ np.concatenate([W_Q, W_K, W_V], axis=1)
    Q, K, V = np.array_split(qkv, 3, axis=1)
    scores = Q @ K.T / np.sqrt(K.shape[1])
    w = softmax(scores)
    return w, w @ V
