def worked_example(X, W_Q, W_K, W_V, token):
    return {
        "query": (query := X[token] @ W_Q),
        "keys": (keys := X @ W_K),
        "values": (values := X @ W_V),
        "scores": (scores := keys @ query / query.size**0.5),
        "weights": (
            weights := np.exp(scores - np.max(scores)) / np.exp(scores - np.max(scores)).sum()
        ),
        "context": (context := np.average(values, axis=0, weights=weights)),
        "output": np.add(X[token], context),
    }
