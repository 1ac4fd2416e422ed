# named: example-not-scaled, example-no-residual
# both
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = query @ keys.T
    weights = softmax(scores)
    context = weights @ values
    output = context
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": output,
    }
