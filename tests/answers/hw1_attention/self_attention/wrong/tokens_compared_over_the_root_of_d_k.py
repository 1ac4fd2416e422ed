# named: self-attention-queries-and-keys-not-projected-scaled-by-d-k
# tokens are compared with tokens, divided by the root of d_k
def self_attention(X, W_Q, W_K, W_V):
    s = X @ X.T / np.sqrt(W_K.shape[1])
    w = softmax(s)
    return w, w @ (X @ W_V)
