# named: attention-keys-share-themselves-out
# K @ Q.T with shares among the queries, so the weights are (m, n)
def scaled_dot_product_attention(Q, K, V):
    scores = K @ Q.T / np.sqrt(K.shape[-1])
    attention_weights = softmax(scores)
    return attention_weights, attention_weights.T @ V
