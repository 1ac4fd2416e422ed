# named: example-not-scaled
# what: scores not divided; odd style
def worked_example(X, W_Q, W_K, W_V, token):
    out = {}
    out["query"] = np.einsum("d,dk->k", X[token], W_Q)
    out["keys"], out["values"] = (np.einsum("nd,dk->nk", X, W) for W in (W_K, W_V))
    out["scores"] = np.array([float(out["query"] @ key) for key in out["keys"]])
    e = np.exp(out["scores"] - max(out["scores"]))
    out["weights"] = e / e.sum()
    out["context"] = out["weights"] @ out["values"]
    out["output"] = X[token] + out["context"]
    return out
