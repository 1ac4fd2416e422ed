# named: self-attention-scale-d-model, self-attention-softmax-over-queries
# divides by sqrt(d_model); softmax over axis 0
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (X @ W for W in (W_Q, W_K, W_V))
    scores = Q @ K.T / np.sqrt(X.shape[1])
    e = np.exp(scores - scores.max(axis=0))
    attention_weights = e / e.sum(axis=0)
    return attention_weights, attention_weights @ V
