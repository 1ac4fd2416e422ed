"""What learners get wrong in softmax."""

from __future__ import annotations

from .axis import WRONG_AXIS
from .formula import WRONG_FORMULA
from .reference import REFERENCE
from .shift import WRONG_SHIFT

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_AXIS, *WRONG_SHIFT, *WRONG_FORMULA)
