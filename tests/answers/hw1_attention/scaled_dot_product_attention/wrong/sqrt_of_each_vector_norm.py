# named: nothing
# divides by root of key norms
def scaled_dot_product_attention(Q, K, V):
    scale = np.sqrt(np.sum(K**2))
    w = softmax((Q @ K.T) / scale)
    return w, w @ V
