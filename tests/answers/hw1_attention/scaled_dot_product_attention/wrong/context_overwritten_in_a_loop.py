# named: attention-context-of-the-last-key
def scaled_dot_product_attention(Q, K, V):
    n, m = len(Q), len(K)
    weights = np.zeros((n, m))
    context = np.zeros((n, V.shape[1]))
    for i in range(n):
        row = np.array([Q[i].dot(K[j]) for j in range(m)]) / np.sqrt(Q.shape[1])
        weights[i] = softmax(row)
        for j in range(m):
            context[i] = weights[i, j] * V[j]
    return weights, context
