# the steps are local variables, picked by name at the end
def worked_example(X, W_Q, W_K, W_V, token):
    keys, values = np.matmul(X, W_K), np.matmul(X, W_V)
    query = np.matmul(X, W_Q)[token]
    scores = (keys * query).sum(axis=1) / W_K.shape[1] ** 0.5
    weights = softmax(scores[np.newaxis, :]).ravel()
    context = (weights[:, np.newaxis] * values).sum(axis=0)
    output = np.sum([X[token], context], axis=0)
    steps = locals()
    return {
        name: steps[name]
        for name in ("query", "keys", "values", "scores", "weights", "context", "output")
    }
