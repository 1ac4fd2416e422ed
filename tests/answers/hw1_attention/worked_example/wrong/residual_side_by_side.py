# named: example-residual-side-by-side
# features and context side by side
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
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
        "output": np.concatenate([X[token], c]),
    }
