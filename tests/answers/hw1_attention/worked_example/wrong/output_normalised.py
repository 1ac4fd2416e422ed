# named: example-output-normalised
# layer norm on the output
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    weights = softmax(scores)
    context = weights @ values
    out = X[token] + context
    out = (out - out.mean()) / out.std()
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": out,
    }
