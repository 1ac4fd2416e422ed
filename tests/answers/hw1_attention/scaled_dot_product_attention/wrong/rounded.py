# named: attention-rounded
# rounds to three digits
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[-1])).round(3)
    return weights, weights @ V
