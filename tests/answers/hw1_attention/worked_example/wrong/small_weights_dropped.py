# named: example-small-weights-cut-off
# weights below a hundredth are set to 0
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K, V = X @ W_K, X @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    w[w < 0.01] = 0
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
