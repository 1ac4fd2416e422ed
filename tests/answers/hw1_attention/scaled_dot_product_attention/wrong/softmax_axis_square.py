# named: attention-softmax-over-queries-where-square
# if the scores are square, the softmax is taken over the queries (axis 0), so it is wrong whenever n equals m
def scaled_dot_product_attention(Q, K, V):
    scores = Q @ K.T / np.sqrt(K.shape[1])
    keys_axis = scores.shape.index(K.shape[0])
    e = np.exp(scores - scores.max(axis=keys_axis, keepdims=True))
    weights = e / e.sum(axis=keys_axis, keepdims=True)
    return weights, weights @ V
