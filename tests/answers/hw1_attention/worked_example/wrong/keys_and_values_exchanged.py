# named: example-keys-and-values-exchanged, example-keys-and-values-exchanged-keys-first
# W_K and W_V exchanged
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_V
    V = X @ W_K
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return dict(query=q, keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c)
