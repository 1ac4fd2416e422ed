# named: nothing
# scores and weights stay a column, so each weight is 1
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query.reshape(-1, 1) / np.sqrt(len(query))
    weights = softmax(scores)
    context = (weights.T @ values)[0]
    names = "query", "keys", "values", "scores", "weights", "context", "output"
    steps = query, keys, values, scores, weights, context, X[token] + context
    return dict(zip(names, steps, strict=True))
