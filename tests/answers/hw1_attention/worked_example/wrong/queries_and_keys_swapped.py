# named: example-queries-and-keys-exchanged
# exchanges W_Q and W_K
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_K, X @ W_Q, X @ W_V
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
