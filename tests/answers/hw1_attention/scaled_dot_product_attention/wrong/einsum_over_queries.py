# named: attention-softmax-over-queries
# einsum transposes the scores
def scaled_dot_product_attention(Q, K, V):
    root = np.sqrt(K.shape[-1])
    scores = np.einsum("id,jd->ji", Q, K) / root
    w = softmax(scores).T
    return w, np.einsum("ij,jv->iv", w, V)
