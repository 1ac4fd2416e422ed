"""What learners get wrong in self_attention: large numbers."""

from __future__ import annotations

from ...recurring import range_lost
from .softmax import LARGE

MISCONCEPTIONS = range_lost(
    "self-attention", "scores - largest", "(X, W_Q, W_K, W_V):", "X, W_Q, W_K, W_V"
)

EXAMPLES = (LARGE,)
