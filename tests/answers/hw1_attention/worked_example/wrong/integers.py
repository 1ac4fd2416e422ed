# named: example-cut-off-to-integers
# casts to integers
def worked_example(X, W_Q, W_K, W_V, token):
    X, W_Q, W_K, W_V = (a.astype(int) for a in (X, W_Q, W_K, W_V))
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    weights = softmax(scores)
    context = weights @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
