# named: attention-cosine
# compares directions alone
def scaled_dot_product_attention(Q, K, V):
    q = Q / np.linalg.norm(Q, axis=1, keepdims=True)
    k = K / np.linalg.norm(K, axis=1, keepdims=True)
    w = softmax(q @ k.T)
    return w, w @ V
