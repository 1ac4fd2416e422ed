# named: attention-causal-mask
# what: a causal mask that nobody asked for
def scaled_dot_product_attention(Q, K, V):
    s = Q @ K.T / np.sqrt(K.shape[-1])
    s = np.where(np.tri(*s.shape), s, -np.inf)
    w = softmax(s)
    return w, w @ V
