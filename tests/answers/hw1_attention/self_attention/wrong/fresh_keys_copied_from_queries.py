# named: self-attention-keys-from-w-q
# keys are made from the queries (W_K is applied to them where it fits) -> here: both from W_Q
def self_attention(X, W_Q, W_K, W_V):
    d_k = W_K.shape[1]
    q = X @ W_Q
    k = q.copy()
    w = softmax(q @ k.T / np.sqrt(d_k))
    c = w @ X @ W_V
    return w, c
