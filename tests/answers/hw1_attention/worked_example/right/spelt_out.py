# step by step with loops and no earlier function
def worked_example(X, W_Q, W_K, W_V, token):
    n, d_model = X.shape
    d_k = W_Q.shape[1]
    query = np.zeros(d_k)
    for j in range(d_k):
        for i in range(d_model):
            query[j] += X[token, i] * W_Q[i, j]
    keys = np.array([row @ W_K for row in X])
    values = np.array([row @ W_V for row in X])
    scores = np.array([np.dot(query, key) / np.sqrt(d_k) for key in keys])
    powers = np.exp(scores - np.max(scores))
    weights = powers / np.sum(powers)
    context = np.zeros(d_model)
    for i in range(n):
        context += weights[i] * values[i]
    output = X[token] + context
    return dict(
        query=query,
        keys=keys,
        values=values,
        scores=scores,
        weights=weights,
        context=context,
        output=output,
    )
