# named: attention-scale-number-of-keys
# divides by the root of the number of keys
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K.T / np.sqrt(K.shape[0]))
    return weights, weights @ V
