# named: example-context-not-summed
# weighs the values and keeps the matrix
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w[:, None] * V
    return dict(
        query=q, keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c.sum(0)
    )
