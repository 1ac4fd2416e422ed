# named: attention-transpose-forgotten, crash-shapes
# names two axes, which in NumPy leaves a matrix as it is
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.transpose(-2, -1) / np.sqrt(K.shape[-1]))
    return weights, weights @ V
