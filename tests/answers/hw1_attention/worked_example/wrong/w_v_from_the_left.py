# named: example-values-matrix-transposed
# W_V multiplied from the left
def worked_example(X, W_Q, W_K, W_V, token):
    q = W_Q.T @ X[token]
    K = X @ W_K
    V = (W_V @ X.T).T
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return {
        "query": q,
        "keys": K,
        "values": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": X[token] + c,
    }
