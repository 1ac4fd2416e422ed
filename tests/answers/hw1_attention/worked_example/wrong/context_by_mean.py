# named: example-context-a-mean
# mean of weighted values
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    weights = softmax(scores)
    context = np.mean(weights[:, None] * values, axis=0)
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
