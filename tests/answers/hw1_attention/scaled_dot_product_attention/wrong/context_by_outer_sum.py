# named: attention-context-plain-mean
# context: weights.T
def scaled_dot_product_attention(Q, K, V):
    n, m = len(Q), len(K)
    w = softmax(Q @ K.T / np.sqrt(Q.shape[1]))
    context = np.zeros((n, V.shape[1]))
    for i in range(n):
        context[i] = w[i].mean() * V.sum(axis=0)
    return w, context
