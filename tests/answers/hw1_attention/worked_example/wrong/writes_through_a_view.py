# named: example-input-changed
# x is a row of X, not a copy of it
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token]
    q, K, V = x @ W_Q, X @ W_K, X @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    x += c
    return dict(query=q, keys=K, values=V, scores=s, weights=w, context=c, output=x)
