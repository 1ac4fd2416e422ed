# named: attention-scaled-after-softmax
# what: the weights are divided by the root of d_k, not the scores
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T) / np.sqrt(K.shape[1])
    return weights, weights @ V
