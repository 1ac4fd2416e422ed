# named: example-weights-from-unscaled-scores
# softmax of the bare products
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = K @ q
    w = softmax(s)
    c = w @ V
    return dict(
        query=q,
        keys=K,
        values=V,
        scores=s / np.sqrt(len(q)),
        weights=w,
        context=c,
        output=X[token] + c,
    )
