# named: example-scale-half-of-d-k
# a power binds tighter than a division
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = K @ q / (len(q) ** 1 / 2)
    w = softmax(s)
    c = w @ V
    return dict(query=q, keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c)
