# a class whose steps are properties; an ordered dictionary
from collections import OrderedDict


class Example:
    def __init__(self, X, W_Q, W_K, W_V, token):
        self.x, self.X, self.W_Q, self.W_K, self.W_V = X[token], X, W_Q, W_K, W_V

    query = property(lambda self: self.x @ self.W_Q)
    keys = property(lambda self: self.X @ self.W_K)
    values = property(lambda self: self.X @ self.W_V)
    scores = property(lambda self: self.keys @ self.query / np.sqrt(self.query.size))
    weights = property(lambda self: softmax(self.scores))
    context = property(lambda self: self.values.T @ self.weights)
    output = property(lambda self: self.context + self.x)


def worked_example(X, W_Q, W_K, W_V, token):
    example = Example(X, W_Q, W_K, W_V, token)
    names = "query keys values scores weights context output".split()
    return OrderedDict((name, getattr(example, name)) for name in names)
