# named: example-weights-all-one
# the scores are a column where softmax meets them, so each is alone in its row
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query[:, None] / np.sqrt(len(query))
    weights = softmax(scores)
    context = (weights * values).sum(axis=0)
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores.ravel(),
        "weights": weights.ravel(),
        "context": context,
        "output": X[token] + context,
    }
