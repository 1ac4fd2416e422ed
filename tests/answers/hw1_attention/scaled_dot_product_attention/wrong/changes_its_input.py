# named: attention-input-changed
# scales the queries in place
def scaled_dot_product_attention(Q, K, V):
    Q /= np.sqrt(K.shape[-1])
    weights = softmax(Q @ K.T)
    return weights, weights @ V
