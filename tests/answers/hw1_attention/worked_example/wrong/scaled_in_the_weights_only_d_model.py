# named: example-scores-kept-before-scaling, example-scale-d-model
# unscaled scores in dict, weights scaled by d_model
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = query @ keys.T
    weights = softmax(scores / np.sqrt(X.shape[1]))
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
