# named: crash-shapes
# keys.T meets the query
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    scores = keys.T @ query / np.sqrt(W_K.shape[1])
    weights = softmax(scores)
    context = weights @ values
    return {"query": query, "keys": keys, "values": values, "scores": scores,
            "weights": weights, "context": context, "output": X[token] + context}
