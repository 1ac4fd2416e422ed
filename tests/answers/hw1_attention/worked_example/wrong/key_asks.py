# named: example-queries-and-keys-exchanged
# query from W_K, keys from W_Q
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token]
    query = np.array([x @ W_K[:, j] for j in range(W_K.shape[1])])
    keys = X @ W_Q
    values = X @ W_V
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
        "output": x + context,
    }
