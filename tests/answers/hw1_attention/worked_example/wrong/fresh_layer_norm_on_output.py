# named: example-output-normalised-with-epsilon
# layer normalisation on the output
def worked_example(X, W_Q, W_K, W_V, token):
    r = {"query": X[token] @ W_Q, "keys": X @ W_K, "values": X @ W_V}
    r["scores"] = r["keys"] @ r["query"] / np.sqrt(r["query"].shape[-1])
    r["weights"] = softmax(r["scores"])
    r["context"] = r["weights"] @ r["values"]
    y = X[token] + r["context"]
    r["output"] = (y - y.mean()) / np.sqrt(y.var() + 1e-5)
    return r
