# named: relation-factor
# a key that isn't there takes a part
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    e = np.exp(scores - scores.max(axis=1, keepdims=True))
    weights = e / (1 + e.sum(axis=1, keepdims=True))
    return weights, weights @ V
