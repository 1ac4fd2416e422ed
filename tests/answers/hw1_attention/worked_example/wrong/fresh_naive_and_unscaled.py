# named: example-not-scaled, example-softmax-unstable
# naive exponential (nan at large scores), scores not divided
def worked_example(X, W_Q, W_K, W_V, token):
    query = np.matmul(X[token], W_Q)
    keys = np.matmul(X, W_K)
    values = np.matmul(X, W_V)
    scores = np.matmul(query, keys.T)
    weights = np.exp(scores) / np.sum(np.exp(scores))
    context = np.matmul(weights, values)
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
