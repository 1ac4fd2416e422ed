# named: attention-root-forgotten
# root divided twice
def scaled_dot_product_attention(Q, K, V):
    d_k = Q.shape[-1]
    q = Q / np.sqrt(d_k)
    k = K / np.sqrt(d_k)
    w = softmax(q @ k.T)
    return w, w @ V
