# named: example-weights-rounded
# what: weights rounded to 3 digits, as shown in the table
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = K @ q / np.sqrt(K.shape[1])
    w = np.round(softmax(s), 3)
    c = w @ V
    return {
        "query": q,
        "keys": K,
        "values": V,
        "scores": s,
        "weights": w,
        "context": c,
        "output": c + X[token],
    }
