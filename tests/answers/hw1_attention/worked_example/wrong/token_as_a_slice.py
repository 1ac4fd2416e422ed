# named: example-row-kept-as-a-matrix
# context from keys; scores (1, n) because X[token:token+1]
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token : token + 1]
    query, keys, values = x @ W_Q, X @ W_K, X @ W_V
    scores = query @ keys.T / np.sqrt(W_K.shape[1])
    weights = softmax(scores)
    context = weights @ values
    output = x + context
    names = "query keys values scores weights context output".split()
    return dict(zip(names, (query, keys, values, scores, weights, context, output)))
