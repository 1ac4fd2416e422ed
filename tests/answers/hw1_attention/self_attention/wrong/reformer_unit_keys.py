# named: self-attention-keys-of-length-one
# adapted from Reformer: the keys are divided by their length, so long keys get no more than
# short ones
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    K = K / (np.linalg.norm(K, axis=-1, keepdims=True) + 1e-6)
    attention_weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    return attention_weights, attention_weights @ V
