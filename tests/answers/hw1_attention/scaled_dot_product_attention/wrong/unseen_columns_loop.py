# named: attention-softmax-over-queries
# what: softmax over the queries, in a loop over keys
def scaled_dot_product_attention(Q, K, V):
    scores = (Q @ K.T) / np.sqrt(Q.shape[-1])
    weights = np.zeros_like(scores)
    for j in range(scores.shape[1]):
        col = scores[:, j]
        e = np.exp(col - col.max())
        weights[:, j] = e / e.sum()
    return weights, weights.dot(V)
