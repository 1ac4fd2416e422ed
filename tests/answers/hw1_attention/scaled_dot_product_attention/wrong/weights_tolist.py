# named: attention-plain-list
# weights as a list of lists
def scaled_dot_product_attention(Q, K, V):
    w = softmax(Q @ K.T / np.sqrt(Q.shape[-1]))
    return w.tolist(), (w @ V).tolist()
