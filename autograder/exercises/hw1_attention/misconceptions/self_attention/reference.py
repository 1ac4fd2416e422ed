"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
def self_attention(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    d_k = K.shape[1]
    scores = Q @ K.T / np.sqrt(d_k)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    weights = powers / powers.sum(axis=1, keepdims=True)
    context = weights @ V
    return weights, context
"""

# A tiny number in the sum changes nothing, unless all exponentials are 0: then it hides a nan.
STYLES = {
    "epsilon": {
        "powers.sum(axis=1, keepdims=True)": "(powers.sum(axis=1, keepdims=True) + 1e-9)",
    }
}
