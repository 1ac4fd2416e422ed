# named: example-no-residual, example-softmax-unstable
# own softmax overflows; output is context alone
def worked_example(X, W_Q, W_K, W_V, token):
    steps = {}
    steps["query"] = X[token] @ W_Q
    steps["keys"] = X @ W_K
    steps["values"] = X @ W_V
    steps["scores"] = steps["keys"] @ steps["query"] / np.sqrt(W_Q.shape[1])
    e = np.exp(steps["scores"])
    steps["weights"] = e / e.sum()
    steps["context"] = steps["weights"] @ steps["values"]
    steps["output"] = steps["context"]
    return steps
