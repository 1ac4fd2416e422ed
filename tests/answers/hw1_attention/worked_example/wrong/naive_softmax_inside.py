# named: example-softmax-unstable
# naive: nan on large
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    scores = [np.dot(query, key) / np.sqrt(len(key)) for key in keys]
    exps = [np.exp(s) for s in scores]
    weights = np.array([e / sum(exps) for e in exps])
    context = weights @ values
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": np.array(scores),
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
