# named: relation-equal-sizes
# context summed over range(n)
def scaled_dot_product_attention(Q, K, V):
    n, m = len(Q), len(K)
    w = softmax(np.einsum("nd,md->nm", Q, K) / np.sqrt(Q.shape[-1]))
    context = np.zeros((n, V.shape[1]))
    for i in range(n):
        for j in range(min(n, m)):
            context[i] += w[i, j] * V[j]
    return w, context
