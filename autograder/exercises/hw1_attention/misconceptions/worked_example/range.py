"""What learners get wrong in worked_example: large numbers."""

from __future__ import annotations

from ...recurring import range_lost

MISCONCEPTIONS = range_lost(
    "example",
    "scores - scores.max(axis=-1, keepdims=True)",
    "(X, W_Q, W_K, W_V, token):",
    "X, W_Q, W_K, W_V",
)
