# everything to the best key, and the weights are left out
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    context = values[scores.argmax()]
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "context": context,
        "output": X[token] + context,
    }
