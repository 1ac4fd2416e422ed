# named: attention-transpose-forgotten, crash-shapes
# forgets the transpose
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K / np.sqrt(K.shape[-1]))
    return weights, weights @ V
