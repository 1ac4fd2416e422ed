# named: attention-softmax-over-queries
# softmax over the queries (scores made the other way round)
def scaled_dot_product_attention(Q, K, V):
    by_key = np.einsum("mk,nk->mn", K, Q) / np.sqrt(K.shape[1])
    by_key = softmax(by_key)
    weights = by_key.swapaxes(0, 1)
    return weights, weights @ V
