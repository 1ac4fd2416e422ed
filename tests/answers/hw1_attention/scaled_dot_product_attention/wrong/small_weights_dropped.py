# named: attention-small-weights-cut-off
# weights below a hundredth are set to 0
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    w = np.where(w < 0.01, 0, w)
    return w, w @ V
