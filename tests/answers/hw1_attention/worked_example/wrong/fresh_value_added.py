# named: example-residual-of-the-value
# the residual adds the token's value, not the token; harmless modulo
def worked_example(X, W_Q, W_K, W_V, token):
    token = int(token) % len(X)
    q = X[token] @ W_Q
    K, V = X @ W_K, X @ W_V
    s = K @ q / np.sqrt(q.size)
    w = softmax(s)
    c = w @ V
    names = ["query", "keys", "values", "scores", "weights", "context", "output"]
    return dict(zip(names, [q, K, V, s, w, c, V[token] + c]))
