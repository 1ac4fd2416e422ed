# named: attention-input-changed
# Q /= root
def scaled_dot_product_attention(Q, K, V):
    Q /= np.sqrt(Q.shape[-1])
    w = softmax(Q @ K.T)
    return w, w @ V
