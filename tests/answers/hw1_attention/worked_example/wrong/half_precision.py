# named: example-half-precision, relation-half-precision
# float16 throughout
def worked_example(X, W_Q, W_K, W_V, token):
    X, W_Q, W_K, W_V = (a.astype(np.float16) for a in (X, W_Q, W_K, W_V))
    q, K, V = X[token] @ W_Q, X @ W_K, X @ W_V
    s = q @ K.T / np.sqrt(np.float16(len(q)))
    w = softmax(s)
    c = w @ V
    return dict(query=q, keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c)
