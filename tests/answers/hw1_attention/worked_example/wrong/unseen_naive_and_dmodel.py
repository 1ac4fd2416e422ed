# named: example-scale-d-model, example-softmax-unstable
# what: root of d_model, and softmax without shift
def worked_example(X, W_Q, W_K, W_V, token):
    d_model = X.shape[1]
    query = X[token] @ W_Q
    keys, values = X @ W_K, X @ W_V
    scores = query @ keys.T / np.sqrt(d_model)
    weights = np.exp(scores) / np.sum(np.exp(scores))
    context = weights @ values
    return {
        k: v
        for k, v in [
            ("query", query),
            ("keys", keys),
            ("values", values),
            ("scores", scores),
            ("weights", weights),
            ("context", context),
            ("output", X[token] + context),
        ]
    }
