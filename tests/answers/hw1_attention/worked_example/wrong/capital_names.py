# named: example-name-missing
# names with capitals
def worked_example(X, W_Q, W_K, W_V, token):
    q, K, V = X[token] @ W_Q, X @ W_K, X @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return {
        "Query": q,
        "Keys": K,
        "Values": V,
        "Scores": s,
        "Weights": w,
        "Context": c,
        "Output": X[token] + c,
    }
