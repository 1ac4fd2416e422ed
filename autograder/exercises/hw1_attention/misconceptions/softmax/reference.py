"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

# Where the shift comes from and where it is used are apart, so that a wrong axis and a wrong
# shift can be made at once.
REFERENCE = """\
def softmax(x):
    largest = x.max(axis=-1, keepdims=True)
    shifted = x - largest
    powers = np.exp(shifted)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / total
"""

# A tiny number in the sum changes nothing, unless all exponentials are 0: then it hides a nan.
STYLES = {"epsilon": {"return powers / total": "return powers / (total + 1e-9)"}}
