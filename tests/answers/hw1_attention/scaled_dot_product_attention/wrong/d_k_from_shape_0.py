# named: attention-scale-number-of-queries
# root of shape[0] of Q
def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[0]
    scores = np.inner(Q, K) / np.sqrt(d_k)
    w = softmax(scores)
    return w, w @ V
