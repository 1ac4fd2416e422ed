# named: example-causal
# looks at earlier tokens alone
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X[: token + 1] @ W_K
    V = X[: token + 1] @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return dict(query=q, keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c)
