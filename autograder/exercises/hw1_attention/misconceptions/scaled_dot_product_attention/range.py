"""What learners get wrong in scaled_dot_product_attention: large numbers."""

from __future__ import annotations

from ...recurring import range_lost
from .softmax import LARGE

MISCONCEPTIONS = range_lost("attention", "scores - largest", "(Q, K, V):", "Q, K, V")

EXAMPLES = (LARGE,)
