# named: self-attention-scale-d-model, self-attention-softmax-unstable
# root of W_Q.shape[0]
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = (X @ W for W in (W_Q, W_K, W_V))
    d_k = W_Q.shape[0]
    scores = np.array([[q @ k for k in K] for q in Q]) / np.sqrt(d_k)
    A = np.exp(scores)
    A = A / A.sum(axis=1, keepdims=True)
    return A, A @ V
