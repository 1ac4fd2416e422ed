"""What learners get wrong in self_attention: large numbers."""

from __future__ import annotations

from ...recurring import range_lost

MISCONCEPTIONS = range_lost(
    "self-attention", "scores - largest", "(X, W_Q, W_K, W_V):", "X, W_Q, W_K, W_V"
)
