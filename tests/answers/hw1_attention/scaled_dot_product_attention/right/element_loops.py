# loops over every entry, filling arrays
import math


def scaled_dot_product_attention(Q, K, V):
    n, d_k = Q.shape
    m, d_v = V.shape
    weights = np.zeros((n, m))
    context = np.zeros((n, d_v))
    for i in range(n):
        for j in range(m):
            for k in range(d_k):
                weights[i, j] += Q[i, k] * K[j, k]
            weights[i, j] /= math.sqrt(d_k)
        largest = max(weights[i])
        for j in range(m):
            weights[i, j] = math.exp(weights[i, j] - largest)
        weights[i] /= sum(weights[i])
        for v in range(d_v):
            for j in range(m):
                context[i, v] += weights[i, j] * V[j, v]
    return weights, context
