# named: example-names-in-the-singular, example-name-missing
# key and value for keys and values
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return {
        "query": q,
        "key": K,
        "value": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": X[token] + c,
    }
