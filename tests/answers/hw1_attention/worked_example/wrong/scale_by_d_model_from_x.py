# named: example-scale-d-model
# sqrt(X.shape[1])
def worked_example(X, W_Q, W_K, W_V, token):
    n, d = X.shape
    steps = {}
    steps["query"] = X[token] @ W_Q
    steps["keys"] = np.stack([x @ W_K for x in X])
    steps["values"] = np.stack([x @ W_V for x in X])
    steps["scores"] = np.einsum("d,nd->n", steps["query"], steps["keys"]) / np.sqrt(d)
    steps["weights"] = softmax(steps["scores"])
    steps["context"] = np.einsum("n,nv->v", steps["weights"], steps["values"])
    steps["output"] = X[token] + steps["context"]
    return steps
