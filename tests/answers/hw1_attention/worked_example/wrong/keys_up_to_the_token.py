# named: example-causal
# keys and values only up to the token (causal)
def worked_example(X, W_Q, W_K, W_V, token):
    seen = X[: token + 1]
    query = X[token] @ W_Q
    keys = seen @ W_K
    values = seen @ W_V
    scores = keys @ query / np.sqrt(keys.shape[1])
    weights = softmax(scores)
    context = weights @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
