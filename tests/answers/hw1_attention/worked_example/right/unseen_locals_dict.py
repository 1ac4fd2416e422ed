# the names of its own variables
def worked_example(X, W_Q, W_K, W_V, token):
    query = W_Q.T @ X[token]
    keys = (W_K.T @ X.T).T
    values = (W_V.T @ X.T).T
    scores = np.array([np.dot(query, key) for key in keys]) / np.sqrt(query.size)
    weights = np.exp(scores - scores.max())
    weights = weights / weights.sum()
    context = np.average(values, axis=0, weights=weights)
    output = X[token] + context
    return {
        name: thing
        for name, thing in locals().items()
        if name not in ("X", "W_Q", "W_K", "W_V", "token")
    }
