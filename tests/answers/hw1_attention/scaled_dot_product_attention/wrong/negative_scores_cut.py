# named: attention-negative-scores-cut
# negative scores become 0 before softmax
def scaled_dot_product_attention(Q, K, V):
    s = np.maximum(Q @ K.T / np.sqrt(Q.shape[1]), 0)
    w = softmax(s)
    return w, w @ V
