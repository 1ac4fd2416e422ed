# named: example-input-changed, example-weights-called-attention-weights
# a wrong name ("attention_weights"), and X[token] is changed in place by the residual
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys, values = X @ W_K, X @ W_V
    scores = query @ keys.T / np.sqrt(W_K.shape[1])
    weights = softmax(scores)
    context = weights @ values
    output = X[token]
    output += context
    return {
        "query": query,
        "keys": keys,
        "values": values,
        "scores": scores,
        "attention_weights": weights,
        "context": context,
        "output": output,
    }
