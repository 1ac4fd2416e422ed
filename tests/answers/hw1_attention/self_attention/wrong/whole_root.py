# named: self-attention-scale-cut-off
# int() around the root, in one bilinear form
def self_attention(X, W_Q, W_K, W_V):
    M = W_Q @ W_K.T / int(np.sqrt(W_Q.shape[1]))
    A = softmax(X @ M @ X.T)
    return A, (A @ X) @ W_V
