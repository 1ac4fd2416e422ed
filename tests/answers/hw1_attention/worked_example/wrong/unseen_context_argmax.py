# named: example-context-of-the-best
# what: context is the value of the greatest weight
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = K @ q / np.sqrt(K.shape[1])
    w = softmax(s)
    c = V[np.argmax(w)]
    return {
        "query": q,
        "keys": K,
        "values": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": c + X[token],
    }
