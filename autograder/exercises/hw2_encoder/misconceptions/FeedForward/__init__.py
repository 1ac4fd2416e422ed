"""What learners get wrong in FeedForward."""

from __future__ import annotations

from .module import WRONG_MODULE
from .nonlinearity import WRONG_NONLINEARITY
from .reference import REFERENCE
from .wiring import WRONG_WIRING

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_NONLINEARITY, *WRONG_WIRING, *WRONG_MODULE)
