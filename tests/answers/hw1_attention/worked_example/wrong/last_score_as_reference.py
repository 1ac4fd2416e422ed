# named: nothing
# the exponentials are shifted by the last score (the largest in the example), so they overflow
# to nan when an earlier one is larger by 710 or more
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(W_K.shape[1])
    e = np.exp(scores - scores[-1])
    weights = e / e.sum()
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
