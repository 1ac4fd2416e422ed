# named: attention-softmax-over-everything
# one softmax over the whole matrix
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    weights = softmax(scores.ravel()).reshape(scores.shape)
    return weights, weights @ V
