# named: example-steps-without-names
# a tuple of seven
def worked_example(X, W_Q, W_K, W_V, token):
    q, K, V = X[token] @ W_Q, X @ W_K, X @ W_V
    s = K @ q / np.sqrt(len(q))
    w = softmax(s)
    c = w @ V
    return q, K, V, s, w, c, X[token] + c
