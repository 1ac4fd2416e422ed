# named: example-name-missing
# forgets scores under the name
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scaled = keys @ query / np.sqrt(len(query))
    weights = softmax(scaled)
    context = weights @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scaled_scores": scaled,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
