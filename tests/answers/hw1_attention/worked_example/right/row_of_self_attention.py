# takes the weights and the context from the token's row of self_attention
def worked_example(X, W_Q, W_K, W_V, token):
    weights, context = self_attention(X, W_Q, W_K, W_V)
    Q, K = X @ W_Q, X @ W_K
    return {
        "output": (X + context)[token],
        "context": context[token],
        "weights": weights[token],
        "scores": (Q @ K.T / np.sqrt(Q.shape[-1]))[token],
        "values": X @ W_V,
        "keys": K,
        "query": Q[token],
    }
