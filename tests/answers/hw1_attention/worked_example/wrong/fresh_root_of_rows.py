# named: example-scale-d-model
# divided by the root of d_model
def worked_example(X, W_Q, W_K, W_V, token):
    steps = {}
    steps["query"] = X[token].dot(W_Q)
    steps["keys"], steps["values"] = X.dot(W_K), X.dot(W_V)
    steps["scores"] = np.array([steps["query"].dot(k) for k in steps["keys"]])
    steps["scores"] /= np.sqrt(W_Q.shape[0])
    shifted = np.exp(steps["scores"] - steps["scores"].max())
    steps["weights"] = shifted / shifted.sum()
    steps["context"] = steps["weights"].dot(steps["values"])
    steps["output"] = steps["context"] + X[token]
    return steps
