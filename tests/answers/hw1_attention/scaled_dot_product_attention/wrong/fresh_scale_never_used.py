# named: attention-not-scaled
# scale is computed and never used; harmless assert
def scaled_dot_product_attention(Q, K, V):
    assert Q.shape[1] == K.shape[1] and len(K) == len(V)
    scale = 1 / np.sqrt(Q.shape[1])
    scores = np.array([[q.dot(k) for k in K] for q in Q])
    weights = softmax(scores)
    context = np.zeros((len(Q), V.shape[1]))
    for i, row in enumerate(weights):
        for j, w in enumerate(row):
            context[i] += w * V[j]
    return weights, context
