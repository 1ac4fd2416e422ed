# steps in a dataclass
from dataclasses import dataclass, asdict


@dataclass
class Steps:
    query: np.ndarray
    keys: np.ndarray
    values: np.ndarray
    scores: np.ndarray
    weights: np.ndarray
    context: np.ndarray
    output: np.ndarray


def worked_example(X, W_Q, W_K, W_V, token):
    me = X[token]
    q, k, v = me @ W_Q, X @ W_K, X @ W_V
    s = (k @ q) / np.sqrt(q.size)
    w = np.exp(s - s.max())
    w = w / w.sum()
    c = w @ v
    return asdict(Steps(q, k, v, s, w, c, me + c))
