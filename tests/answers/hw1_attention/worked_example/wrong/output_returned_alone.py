# named: example-output-alone
# nothing but the last step
def worked_example(X, W_Q, W_K, W_V, token):
    q = X[token] @ W_Q
    K = X @ W_K
    V = X @ W_V
    w = softmax(K @ q / np.sqrt(len(q)))
    return X[token] + w @ V
