# named: example-later-tokens-hidden
# hides later tokens by minus infinity
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    scores[token + 1 :] = -np.inf
    e = np.exp(scores - scores.max())
    weights = e / e.sum()
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
