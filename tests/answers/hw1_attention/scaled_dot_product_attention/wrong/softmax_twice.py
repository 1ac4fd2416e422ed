# named: attention-softmax-twice
# softmax of softmax
def scaled_dot_product_attention(Q, K, V):
    w = softmax(softmax(Q @ K.T / np.sqrt(K.shape[1])))
    return w, w @ V
