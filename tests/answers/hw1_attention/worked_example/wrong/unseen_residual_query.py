# named: example-residual-of-the-value
# what: the residual adds the token's value
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    weights = softmax(scores)
    context = values.T @ weights
    return dict(
        query=query,
        keys=keys,
        values=values,
        scores=scores,
        weights=weights,
        context=context,
        output=values[token] + context,
    )
