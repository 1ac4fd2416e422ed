# named: example-causal
# keys up to the token
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys, values = X[: token + 1] @ W_K, X[: token + 1] @ W_V
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
        "output": X[token] + context,
    }
