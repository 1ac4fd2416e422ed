# named: example-scale-cut-off
# int() around the root
def worked_example(X, W_Q, W_K, W_V, token):
    q, K, V = X[token] @ W_Q, X @ W_K, X @ W_V
    s = np.array([k.dot(q) for k in K]) / int(len(q) ** 0.5)
    w = softmax(s)
    c = np.average(V, axis=0, weights=w)
    names = "query keys values scores weights context output".split()
    return dict(zip(names, (q, K, V, s, w, c, c + X[token])))
