# named: attention-scores-returned
# returns the scores in place of the weights
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[-1])
    return scores, softmax(scores) @ V
