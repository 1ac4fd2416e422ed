"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[1]
    scores = Q @ K.T / np.sqrt(d_k)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    weights = powers / powers.sum(axis=1, keepdims=True)
    context = weights @ V
    return weights, context
"""

PREFIX = "attention"  # of the tags
NOT_MISTAKES = ("list-of-rows",)  # attention-lists-of-rows says it

# A tiny number in the sum changes nothing, unless all exponentials are 0: then it hides a nan.
STYLES = {
    "epsilon": {
        "powers.sum(axis=1, keepdims=True)": "(powers.sum(axis=1, keepdims=True) + 1e-9)",
    }
}
