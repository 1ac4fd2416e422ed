# lists and zip, arrays only at the end
from math import exp, sqrt


def worked_example(X, W_Q, W_K, W_V, token):
    def times(row, matrix):
        return [sum(a * b for a, b in zip(row, column)) for column in zip(*matrix)]

    tokens, q, k, v = (a.tolist() for a in (X, W_Q, W_K, W_V))
    query = times(tokens[token], q)
    keys = [times(row, k) for row in tokens]
    values = [times(row, v) for row in tokens]
    scores = [sum(a * b for a, b in zip(query, key)) / sqrt(len(query)) for key in keys]
    powers = [exp(score - max(scores)) for score in scores]
    weights = [power / sum(powers) for power in powers]
    context = times(weights, values)
    output = [a + b for a, b in zip(tokens[token], context)]
    steps = (query, keys, values, scores, weights, context, output)
    names = ("query", "keys", "values", "scores", "weights", "context", "output")
    return {name: np.array(step) for name, step in zip(names, steps)}
