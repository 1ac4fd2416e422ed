# right; picks its own local names
def worked_example(X, W_Q, W_K, W_V, token):
    query, keys, values = X[token] @ W_Q, X @ W_K, X @ W_V
    scores = np.einsum("k,nk->n", query, keys) / np.sqrt(keys.shape[-1])
    weights = np.exp(scores - np.logaddexp.reduce(scores))
    context = np.average(values, axis=0, weights=weights)
    output = np.add(X[token], context)
    wanted = "query keys values scores weights context output".split()
    here = locals()
    return {name: here[name] for name in wanted}
