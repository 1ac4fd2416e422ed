# named: example-weights-for-scores
# uses self_attention, scores are weights
def worked_example(X, W_Q, W_K, W_V, token):
    weights, context = self_attention(X, W_Q, W_K, W_V)
    return {
        "query": X[token] @ W_Q,
        "keys": X @ W_K,
        "values": X @ W_V,
        "scores": weights[token],
        "weights": weights[token],
        "context": context[token],
        "output": X[token] + context[token],
    }
