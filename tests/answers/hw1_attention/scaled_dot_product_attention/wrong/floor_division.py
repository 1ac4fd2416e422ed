# named: attention-floor-division
# two strokes
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T // np.sqrt(K.shape[1]))
    return weights, weights @ V
