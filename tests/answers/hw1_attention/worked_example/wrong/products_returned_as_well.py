# named: example-name-too-many
# the scores before scaling have a name of their own
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    products = K @ q
    s = products / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return dict(
        query=q,
        keys=K,
        values=V,
        products=products,
        scores=s,
        weights=w,
        context=c,
        output=X[token] + c,
    )
