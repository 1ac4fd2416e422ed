# named: example-scale-of-the-table
# the 2 of the example
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K, V = X @ W_K, X @ W_V
    scores = (K @ q) / 2
    e = np.exp(scores - max(scores))
    weights = e / sum(e)
    context = weights @ V
    return dict(
        query=q,
        keys=K,
        values=V,
        scores=scores,
        weights=weights,
        context=context,
        output=X[token] + context,
    )
