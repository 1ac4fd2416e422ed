# einsum and SciPy's softmax, collected as it goes
from scipy.special import softmax as scipy_softmax


def worked_example(X, W_Q, W_K, W_V, token):
    steps = {}
    steps["query"] = np.einsum("i,ij->j", X[token], W_Q)
    steps["keys"] = np.einsum("ni,ij->nj", X, W_K)
    steps["values"] = np.einsum("ni,ij->nj", X, W_V)
    steps["scores"] = np.einsum("nj,j->n", steps["keys"], steps["query"]) / W_K.shape[1] ** 0.5
    steps["weights"] = scipy_softmax(steps["scores"])
    steps["context"] = np.einsum("n,nv->v", steps["weights"], steps["values"])
    steps["output"] = np.add(X[token, :], steps["context"])
    return steps
