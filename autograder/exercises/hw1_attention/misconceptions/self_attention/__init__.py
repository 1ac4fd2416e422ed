"""What learners get wrong in self_attention."""

from __future__ import annotations

from .reference import REFERENCE
from .result import WRONG_RESULT
from .roles import WRONG_ROLES
from .scale import WRONG_SCALE
from .softmax import WRONG_SOFTMAX

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_ROLES, *WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_RESULT)
