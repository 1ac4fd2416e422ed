# named: example-token-counted-from-one
# what: token counted from one (X[token-1])
def worked_example(X, W_Q, W_K, W_V, token):
    row = X[token - 1]
    q = row @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = (q * K).sum(axis=1) / q.shape[0] ** 0.5
    w = np.exp(s - s.max())
    w = w / w.sum()
    c = (w[:, None] * V).sum(axis=0)
    return {
        "query": q,
        "keys": K,
        "values": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": c + row,
    }
