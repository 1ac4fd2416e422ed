# named: example-causal
# looks only at the tokens up to its own (causal, keys and values cut)
def worked_example(X, W_Q, W_K, W_V, token):
    past = X[: token + 1]
    query = X[token] @ W_Q
    keys = past @ W_K
    values = past @ W_V
    scores = keys @ query / np.sqrt(W_K.shape[1])
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
