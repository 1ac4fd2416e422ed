# random weights, and their average of the values
def scaled_dot_product_attention(Q, K, V):
    weights = np.random.default_rng(len(Q)).random((len(Q), len(K)))
    weights /= weights.sum(axis=1, keepdims=True)
    return weights, weights @ V
