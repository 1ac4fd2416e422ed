# named: example-weights-of-a-column
# takes a column of weights
def worked_example(X, W_Q, W_K, W_V, token):
    d = W_Q.shape[1]
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    S = Q @ K.T / np.sqrt(d)
    weights = softmax(S)[:, token]
    context = weights @ V
    return {
        "query": Q[token],
        "keys": K,
        "values": V,
        "scores": S[token],
        "weights": weights,
        "context": context,
        "output": X[token] + context,
    }
