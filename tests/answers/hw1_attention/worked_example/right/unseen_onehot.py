# a one-hot vector picks the token
def worked_example(X, W_Q, W_K, W_V, token):
    pick = np.eye(len(X))[token]
    d = {"query": pick @ X @ W_Q, "keys": X @ W_K, "values": X @ W_V}
    d["scores"] = d["keys"] @ d["query"] * W_K.shape[1] ** -0.5
    d["weights"], d["context"] = (
        p[0] for p in scaled_dot_product_attention(d["query"][None], d["keys"], d["values"])
    )
    d["output"] = pick @ X + d["context"]
    return d
