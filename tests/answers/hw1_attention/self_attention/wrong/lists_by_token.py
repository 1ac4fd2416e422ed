# named: self-attention-list-of-rows
# token by token into lists
def self_attention(X, W_Q, W_K, W_V):
    Q, K, V = X @ W_Q, X @ W_K, X @ W_V
    weights, contexts = [], []
    for q in Q:
        w = softmax(np.array([q @ k for k in K]) / np.sqrt(len(q)))
        weights.append(w)
        contexts.append(sum(w[j] * V[j] for j in range(len(V))))
    return weights, contexts
