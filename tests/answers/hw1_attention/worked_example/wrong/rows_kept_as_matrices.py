# named: example-row-kept-as-a-matrix
# X[token:token+1]
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token : token + 1]
    Q, K, V = x @ W_Q, X @ W_K, X @ W_V
    scores = Q @ K.T / np.sqrt(K.shape[1])
    weights = softmax(scores)
    context = weights @ V
    return {
        "query": Q,
        "keys": K,
        "values": V,
        "scores": scores,
        "weights": weights,
        "context": context,
        "output": x + context,
    }
