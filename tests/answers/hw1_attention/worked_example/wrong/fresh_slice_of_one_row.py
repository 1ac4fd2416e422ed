# named: example-row-kept-as-a-matrix
# an axis of length 1 everywhere (a slice of one row)
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token : token + 1]
    query = x @ W_Q
    keys = X @ W_K
    values = X @ W_V
    scores = query @ keys.T / keys.shape[1] ** 0.5
    weights = softmax(scores)
    context = weights @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": x + context,
    }
