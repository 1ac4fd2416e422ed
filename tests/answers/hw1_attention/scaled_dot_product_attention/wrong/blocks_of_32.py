# named: relation-partly-right
# more than 32 queries go in blocks of 32, and an incomplete last block stays 0
def scaled_dot_product_attention(Q, K, V):
    n, block = len(Q), 32
    if n <= block:
        weights = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
        return weights, weights @ V
    weights, context = np.zeros((n, len(K))), np.zeros((n, V.shape[1]))
    for start in range(0, n - block + 1, block):
        rows = slice(start, start + block)
        weights[rows], context[rows] = scaled_dot_product_attention(Q[rows], K, V)
    return weights, context
