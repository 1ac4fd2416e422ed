"""What learners get wrong in SelfAttention."""

from __future__ import annotations

from .reference import REFERENCE
from .result import WRONG_RESULT
from .scale import WRONG_SCALE
from .shape import WRONG_SHAPE
from .softmax import WRONG_SOFTMAX
from .tensor import WRONG_TENSOR

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_TENSOR, *WRONG_SHAPE, *WRONG_RESULT)
