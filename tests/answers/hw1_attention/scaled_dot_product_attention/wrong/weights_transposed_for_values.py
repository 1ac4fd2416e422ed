# named: attention-weights-transposed
# multiplies V with the transposed weights
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1]))
    return weights, weights.T @ V
