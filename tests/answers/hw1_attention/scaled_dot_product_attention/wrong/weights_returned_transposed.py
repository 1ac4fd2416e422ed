# named: attention-weights-returned-transposed
# weights lie on their side
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    return w.T, w @ V
