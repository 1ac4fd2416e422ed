# named: example-rows-and-scores-in-lists
# scores and weights are lists
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = [x @ W_K for x in X]
    values = [x @ W_V for x in X]
    scores = [query @ k / np.sqrt(len(query)) for k in keys]
    weights = softmax(np.array(scores))
    context = weights @ np.array(values)
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
