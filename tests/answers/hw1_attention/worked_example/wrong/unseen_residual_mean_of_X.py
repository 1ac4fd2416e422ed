# named: example-residual-of-the-sum-of-tokens, example-root-forgotten
# what: residual is the whole X summed over tokens; scale applied twice
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token]
    q = x @ W_Q / np.sqrt(W_Q.shape[1])
    K = X @ W_K
    V = X @ W_V
    s = K @ q / np.sqrt(W_Q.shape[1])
    w = softmax(s)
    c = w @ V
    return {
        "query": q * np.sqrt(W_Q.shape[1]),
        "keys": K,
        "values": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": X.sum(0) + c,
    }
