# named: attention-scale-multiplied
# multiplies by the root of d_k
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T * np.sqrt(K.shape[-1]))
    return weights, weights @ V
