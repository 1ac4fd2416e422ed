# named: attention-context-of-scores
# averages with the scores, not with the weights
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return softmax(scores), scores @ V
