# named: example-token-ignored
# picks W rows
def worked_example(X, W_Q, W_K, W_V, token):
    query = (X @ W_Q)[0]
    keys, values = X @ W_K, X @ W_V
    scores = np.array([np.dot(query, k) for k in keys]) / np.sqrt(query.size)
    weights = softmax(scores)
    context = sum(w * v for w, v in zip(weights, values))
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": context + X[0],
    }
