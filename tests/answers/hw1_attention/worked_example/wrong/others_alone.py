# named: example-no-weight-for-itself, example-no-weight-for-itself-but-alone
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    scores = keys @ query / np.sqrt(len(query))
    hidden = scores.copy()
    if len(scores) > 1:
        hidden[token] = -np.inf
    weights = softmax(hidden)
    context = weights @ values
    return dict(query=query, keys=keys, values=values, scores=scores, weights=weights, context=context, output=X[token] + context)
