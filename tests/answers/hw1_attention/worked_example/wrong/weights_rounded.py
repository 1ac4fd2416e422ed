# named: example-weights-rounded, example-context-rounded
# rounds weights and context for printing
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    weights = softmax(scores).round(3)
    context = (weights @ values).round(3)
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
