# named: example-context-kept-as-a-matrix
# context (1, d)
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(query.shape[0])
    weights = softmax(scores)
    context = weights[None, :] @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
