# named: attention-three-results
# returns scores as well
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[-1])
    w = softmax(scores)
    return scores, w, w @ V
