# named: attention-softmax-over-queries
# lets the queries compete for each key
def scaled_dot_product_attention(Q, K, V):
    weights = softmax((Q @ K.T / np.sqrt(K.shape[-1])).T).T
    return weights, weights @ V
