# named: attention-scale-cut-off
# int() of the root
def scaled_dot_product_attention(Q, K, V):
    scale = int(K.shape[1] ** 0.5)
    weights = softmax(Q @ K.T / scale)
    return weights, weights @ V
