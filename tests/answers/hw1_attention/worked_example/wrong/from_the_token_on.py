# named: nothing
# keys and values are made from the token and those after it only (X[token:]), so for token > 0
# the ones before it are missing
def worked_example(X, W_Q, W_K, W_V, token):
    visible = X[token:]
    query = visible[0] @ W_Q
    keys, values = visible @ W_K, visible @ W_V
    scores = (keys * query).sum(axis=1) / np.sqrt(query.size)
    weights = softmax(scores)
    context = (weights[:, None] * values).sum(axis=0)
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
