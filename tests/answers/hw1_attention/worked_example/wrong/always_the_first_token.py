# named: example-token-ignored, relation-ignores-argument
# ignores `token`
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[0] @ W_Q, X @ W_K, X @ W_V
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
        "output": X[0] + context,
    }
