# named: attention-causal-mask-where-square
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(Q.shape[1])
    if scores.shape[0] == scores.shape[1]:
        scores = np.where(np.tri(len(scores), dtype=bool), scores, -np.inf)
    w = softmax(scores)
    return w, w @ V
