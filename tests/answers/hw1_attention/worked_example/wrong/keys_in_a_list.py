# named: example-rows-in-lists
# collects keys and values in lists
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = []
    values = []
    for x in X:
        keys.append(x @ W_K)
        values.append(x @ W_V)
    scores = np.array([query @ key for key in keys]) / np.sqrt(len(query))
    weights = softmax(scores)
    context = weights @ np.array(values)
    output = X[token] + context
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": output,
    }
