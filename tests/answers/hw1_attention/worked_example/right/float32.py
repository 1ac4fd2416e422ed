# float32 inside
def worked_example(X, W_Q, W_K, W_V, token):
    X, W_Q, W_K, W_V = (a.astype(np.float32) for a in (X, W_Q, W_K, W_V))
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    scores = keys @ query / np.sqrt(np.float32(query.size))
    weights = softmax(scores)
    context = weights @ values
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
