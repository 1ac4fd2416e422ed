"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

# Softmax along the last axis, so that it works for the matrices too that some mistakes lead to.
REFERENCE = """\
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    d_k = W_K.shape[1]
    scores = query @ keys.T / np.sqrt(d_k)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    context = weights @ values
    features = X[token]
    output = features + context
    steps = {"query": query, "keys": keys, "values": values, "scores": scores}
    steps |= {"weights": weights, "context": context, "output": output}
    return steps
"""

PREFIX = "example"  # of the tags

# A tiny number in the sum changes nothing, unless all exponentials are 0: then it hides a nan.
STYLES = {
    "epsilon": {
        "powers.sum(axis=-1, keepdims=True)": "(powers.sum(axis=-1, keepdims=True) + 1e-9)",
    }
}
NOT_MISTAKES = (
    "plain-list",
    "rounded-coarsely",
)  # example-steps-as-lists and example-steps-rounded say it

# Two tokens, of which the second is asked for. Its query is (2, 0, 0, 0), the keys are (ln 3, 0, 0,
# 0) and zeros, the values (0, 8) and (4, 0), the weights ¾ and ¼.
TOY = """\
X = np.array([[0.0, 1.0], [1.0, 0.0]])
W_Q = np.array([[2.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0]])
W_K = np.log([[1.0, 1.0, 1.0, 1.0], [3.0, 1.0, 1.0, 1.0]])
W_V = np.array([[4.0, 0.0], [0.0, 8.0]])
steps = worked_example(X, W_Q, W_K, W_V, 1)
"""
