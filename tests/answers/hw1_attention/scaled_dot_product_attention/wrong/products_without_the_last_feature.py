# named: attention-last-feature-left-out
def scaled_dot_product_attention(Q, K, V):
    n, d_k = Q.shape
    m = K.shape[0]
    scores = np.zeros((n, m))
    for i in range(n):
        for j in range(m):
            total = 0.0
            for f in range(d_k - 1):
                total += Q[i, f] * K[j, f]
            scores[i, j] = total / np.sqrt(d_k)
    attention_weights = softmax(scores)
    context = np.zeros((n, V.shape[1]))
    for i in range(n):
        for j in range(m):
            context[i] += attention_weights[i, j] * V[j]
    return attention_weights, context
