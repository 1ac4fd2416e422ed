# one-row matrices through scaled_dot_product_attention, squeezed at the end
def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token : token + 1]
    query, keys, values = x @ W_Q, X @ W_K, X @ W_V
    weights, context = scaled_dot_product_attention(query, keys, values)
    scores = query @ keys.T / np.sqrt(query.shape[1])
    names = ["query", "scores", "weights", "context", "output"]
    rows = [query, scores, weights, context, x + context]
    return {"keys": keys, "values": values} | {name: row[0] for name, row in zip(names, rows)}
