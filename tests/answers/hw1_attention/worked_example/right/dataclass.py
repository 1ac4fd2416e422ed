# a dataclass with the steps as fields, turned into a dictionary
from dataclasses import dataclass, fields


@dataclass
class Steps:
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    context: np.ndarray
    output: np.ndarray

    def as_dict(self):
        return {field.name: getattr(self, field.name) for field in fields(self)}


def worked_example(X, W_Q, W_K, W_V, token):
    x = X[token].copy()
    q, k, v = np.dot(x, W_Q), np.dot(X, W_K), np.dot(X, W_V)
    s = np.inner(k, q) / np.sqrt(W_Q.shape[1])
    w = np.exp(s - np.logaddexp.reduce(s))
    c = np.average(v, axis=0, weights=w)
    return Steps(q, k, v, s, w, c, x + c).as_dict()
