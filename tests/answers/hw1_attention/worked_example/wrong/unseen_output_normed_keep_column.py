# named: example-output-normalised, example-row-kept-as-a-matrix
# what: output is layer-normalised; query kept as a row (1, d_k)
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token : token + 1] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = q @ K.T / np.sqrt(K.shape[1])
    w = softmax(s)
    c = w @ V
    o = X[token : token + 1] + c
    o = (o - o.mean()) / o.std()
    return {
        "query": q,
        "keys": K,
        "values": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": o,
    }
