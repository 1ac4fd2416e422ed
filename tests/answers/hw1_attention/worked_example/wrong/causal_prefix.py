# named: example-later-tokens-without-weight
# keys after the token get no weight (a causal mask slipped in), so all tokens but the last differ
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = keys @ query / np.sqrt(query.shape[0])
    visible = np.where(np.arange(len(X)) <= token, scores, -np.inf)
    weights = softmax(visible)
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
