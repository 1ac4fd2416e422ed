# named: example-asked-by-all
# takes the column of the token
def worked_example(X, W_Q, W_K, W_V, token):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    s = Q @ K.T / np.sqrt(Q.shape[1])
    s = s[:, token]
    w = softmax(s)
    c = w @ V
    return dict(
        query=Q[token], keys=K, values=V, scores=s, weights=w, context=c, output=X[token] + c
    )
