# a dictionary of its own class, filled by methods
class Steps(dict):
    def take(self, name, value):
        self[name] = np.array(value, dtype=float)
        return self[name]


def worked_example(X, W_Q, W_K, W_V, token):
    steps = Steps()
    query = steps.take("query", X[token].dot(W_Q))
    keys = steps.take("keys", [x.dot(W_K) for x in X])
    values = steps.take("values", [x.dot(W_V) for x in X])
    scores = steps.take("scores", [key.dot(query) / np.sqrt(len(key)) for key in keys])
    weights = steps.take("weights", softmax(scores))
    context = steps.take("context", weights.dot(values))
    steps.take("output", X[token] + context)
    return steps
