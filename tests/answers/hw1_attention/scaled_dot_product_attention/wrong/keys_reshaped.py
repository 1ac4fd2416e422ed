# named: attention-keys-reshaped
# reshape fits the sizes but mixes the entries
def scaled_dot_product_attention(Q, K, V):
    m, d_k = K.shape
    weights = softmax(Q @ K.reshape(d_k, m) / np.sqrt(d_k))
    return weights, weights @ V
