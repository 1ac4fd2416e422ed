# named: attention-keepdims-lost-in-the-sum
# the sum loses its axis
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(Q.shape[1])
    e = np.exp(s - s.max(axis=-1, keepdims=True))
    w = e / e.sum(axis=-1)
    return w, w @ V
