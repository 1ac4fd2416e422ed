# weights by the place of a key in the order alone
def scaled_dot_product_attention(Q, K, V):
    weights = 2.0 ** np.argsort(np.argsort(Q @ K.T, axis=1), axis=1)
    weights /= weights.sum(axis=1, keepdims=True)
    return weights, weights @ V
