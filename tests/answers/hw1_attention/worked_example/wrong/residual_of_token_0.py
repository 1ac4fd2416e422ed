# named: example-residual-of-the-first-token
# output adds X[0] whatever the token
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    scores = query @ keys.T / np.sqrt(len(query))
    weights = softmax(scores)
    context = weights @ values
    output = X[0] + context
    return dict(
        query=query,
        keys=keys,
        values=values,
        scores=scores,
        weights=weights,
        context=context,
        output=output,
    )
