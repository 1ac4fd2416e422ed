# named: relation-permuted
# reads the keys from the last to the first
def scaled_dot_product_attention(Q, K, V):
    weights = softmax(Q @ K[::-1].T / np.sqrt(K.shape[-1]))
    return weights, weights @ V[::-1]
