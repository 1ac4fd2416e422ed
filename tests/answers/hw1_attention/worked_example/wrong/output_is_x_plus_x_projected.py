# named: example-residual-of-the-value
# residual from value
def worked_example(X, W_Q, W_K, W_V, token):
    steps = {"query": X[token] @ W_Q, "keys": X @ W_K, "values": X @ W_V}
    steps["scores"] = steps["keys"] @ steps["query"] / np.sqrt(W_Q.shape[1])
    steps["weights"] = softmax(steps["scores"])
    steps["context"] = steps["weights"] @ steps["values"]
    steps["output"] = steps["values"][token] + steps["context"]
    return steps
