# plain functions of two indices, made into an array by np.fromfunction
import math


def self_attention(X, W_Q, W_K, W_V):
    queries, keys, values = X @ W_Q, X @ W_K, X @ W_V
    n, d_k = keys.shape

    def score(i, j):
        return math.fsum(a * b for a, b in zip(queries[int(i)], keys[int(j)])) / math.sqrt(d_k)

    scores = np.fromfunction(np.vectorize(score), (n, n), dtype=int)
    weights = softmax(np.asarray(scores, dtype=float).reshape(n, n))
    return weights, np.stack([(row[:, None] * values).sum(axis=0) for row in weights])
