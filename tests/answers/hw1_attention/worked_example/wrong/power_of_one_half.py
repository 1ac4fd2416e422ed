# named: example-scale-twice-d-k
# divides by d_k, then by 2
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = q @ K.T / W_K.shape[1] ** 1 / 2
    w = softmax(s)
    c = w @ V
    return dict(query=q, keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c)
