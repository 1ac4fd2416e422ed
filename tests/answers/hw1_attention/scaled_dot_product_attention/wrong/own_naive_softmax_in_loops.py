# named: attention-softmax-unstable
# own softmax by loops without a shift
def scaled_dot_product_attention(Q, K, V):
    n, d_k = Q.shape
    m, d_v = V.shape
    weights = np.zeros((n, m))
    context = np.zeros((n, d_v))
    for i in range(n):
        total = 0.0
        for j in range(m):
            weights[i, j] = np.exp(Q[i] @ K[j] / d_k**0.5)
            total += weights[i, j]
        weights[i] /= total
        for j in range(m):
            context[i] += weights[i, j] * V[j]
    return weights, context
