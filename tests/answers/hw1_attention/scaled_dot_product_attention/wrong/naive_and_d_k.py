# named: attention-root-forgotten, attention-softmax-unstable
# own naive softmax and /d_k
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / K.shape[1]
    w = np.exp(scores) / np.exp(scores).sum(axis=-1, keepdims=True)
    return w, w @ V
