# named: attention-scale-size-of-values
# divides by the root of d_v
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(V.shape[-1]))
    return weights, weights @ V
