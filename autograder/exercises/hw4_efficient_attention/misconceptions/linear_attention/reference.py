"""A right answer, from which the wrong ones are made."""

from __future__ import annotations

REFERENCE = """\
def linear_attention(Q, K, V):
    phi_Q = F.elu(Q) + 1
    phi_K = F.elu(K) + 1
    summary = phi_K.transpose(1, 2) @ V
    numerator = phi_Q @ summary
    total = phi_K.sum(dim=1).unsqueeze(-1)
    normaliser = phi_Q @ total
    return numerator / normaliser
"""

PREFIX = "linear"  # of the tags
