# named: example-zeros-hidden
# a token of zeros gets a score of -1e9, as if it were padding
def worked_example(X, W_Q, W_K, W_V, token):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    scores = K @ Q[token] / K.shape[1] ** 0.5
    scores[~X.any(axis=1)] = -1e9
    weights = softmax(scores)
    context = weights @ V
    return dict(
        query=Q[token],
        keys=K,
        values=V,
        scores=scores,
        weights=weights,
        context=context,
        output=X[token] + context,
    )
