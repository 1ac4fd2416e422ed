# named: example-every-token-at-once
# query of all tokens, full attention
def worked_example(X, W_Q, W_K, W_V, token):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    S = Q @ K.T / np.sqrt(Q.shape[1])
    A = softmax(S)
    C = A @ V
    return {
        "query": Q,
        "keys": K,
        "values": V,
        "scores": S,
        "weights": A,
        "context": C,
        "output": X + C,
    }
