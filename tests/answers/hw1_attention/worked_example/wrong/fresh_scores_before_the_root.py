# named: example-scores-kept-before-scaling
# scores are listed before the division (weights are right)
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query
    weights = softmax(scores / np.sqrt(len(query)))
    context = weights @ values
    return dict(
        query=query,
        keys=keys,
        values=values,
        scores=scores,
        weights=weights,
        context=context,
        output=X[token] + context,
    )
