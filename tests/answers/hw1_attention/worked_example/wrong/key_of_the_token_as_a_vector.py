# named: nothing
# key and value of the token alone, as vectors, so its weight is 1
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = (X[token] @ W for W in (W_Q, W_K, W_V))
    scores = np.atleast_1d(query @ keys / np.sqrt(len(query)))
    weights = softmax(scores)
    context = weights[0] * values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
