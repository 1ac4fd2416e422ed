# named: attention-half-precision, relation-half-precision
# float16, as on a graphics card
def scaled_dot_product_attention(Q, K, V):
    Q, K, V = Q.astype(np.float16), K.astype(np.float16), V.astype(np.float16)
    weights = softmax(Q @ K.T / np.sqrt(np.float16(K.shape[-1])))
    return weights, weights @ V
