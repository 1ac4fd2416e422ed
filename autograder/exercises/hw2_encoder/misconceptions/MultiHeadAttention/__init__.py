"""What learners get wrong in MultiHeadAttention."""

from __future__ import annotations

from .construction import WRONG_CONSTRUCTION
from .heads import WRONG_HEADS
from .mask import WRONG_MASK
from .reference import REFERENCE
from .result import WRONG_RESULT
from .scale import WRONG_SCALE
from .softmax import WRONG_SOFTMAX
from .tensor import WRONG_TENSOR

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (
    *WRONG_HEADS,
    *WRONG_SCALE,
    *WRONG_SOFTMAX,
    *WRONG_MASK,
    *WRONG_TENSOR,
    *WRONG_CONSTRUCTION,
    *WRONG_RESULT,
)
