# named: attention-cosine-scaled
# queries and keys are made unit vectors first (cosines)
def scaled_dot_product_attention(Q, K, V):
    unit = lambda M: M / np.linalg.norm(M, axis=1, keepdims=True)
    scores = unit(Q) @ unit(K).T / np.sqrt(Q.shape[1])
    weights = softmax(scores)
    return weights, weights @ V
