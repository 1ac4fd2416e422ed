# named: example-two-tokens-assumed
# unpacks two keys
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    k0, k1 = X[0] @ W_K, X[1] @ W_K
    v0, v1 = X[0] @ W_V, X[1] @ W_V
    scores = np.array([query @ k0, query @ k1]) / np.sqrt(len(query))
    weights = softmax(scores)
    context = weights[0] * v0 + weights[1] * v1
    return {
        "query": query,
        "keys": np.array([k0, k1]),
        "values": np.array([v0, v1]),
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
