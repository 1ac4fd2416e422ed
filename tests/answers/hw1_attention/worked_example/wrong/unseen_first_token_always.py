# named: example-query-of-the-first-token
# what: query of token 0 whatever the token, residual of the right token
def worked_example(X, W_Q, W_K, W_V, token):
    n = X.shape[0]
    assert 0 <= token < n
    query = (X @ W_Q)[0]
    keys = X @ W_K
    values = X @ W_V
    scores = np.dot(keys, query) / np.sqrt(keys.shape[1])
    weights = softmax(scores)
    context = np.dot(weights, values)
    output = X[token] + context
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": output,
    }
