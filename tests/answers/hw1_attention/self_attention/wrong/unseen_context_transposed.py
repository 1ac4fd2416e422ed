# named: self-attention-weights-transposed
# what: the weights are applied transposed, beside a harmless max
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    d_k = max(1, K.shape[1])
    A = softmax(np.einsum("nd,md->nm", Q, K) / d_k**0.5)
    return A, np.einsum("nm,nv->mv", A, V)
