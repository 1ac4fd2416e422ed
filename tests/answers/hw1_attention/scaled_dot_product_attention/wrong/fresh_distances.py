# named: attention-distances
# distance in place of product
def scaled_dot_product_attention(Q, K, V):
    diff = Q[:, None, :] - K[None, :, :]
    scores = -(diff**2).sum(-1) / np.sqrt(Q.shape[1])
    attention_weights = softmax(scores)
    return attention_weights, attention_weights @ V
