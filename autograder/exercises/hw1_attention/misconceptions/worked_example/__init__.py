"""What learners get wrong in worked_example."""

from __future__ import annotations

from .context import WRONG_CONTEXT
from .output import WRONG_OUTPUT
from .reference import REFERENCE
from .scores import WRONG_SCORES
from .token import WRONG_TOKEN
from .weights import WRONG_WEIGHTS

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_TOKEN, *WRONG_SCORES, *WRONG_WEIGHTS, *WRONG_CONTEXT, *WRONG_OUTPUT)
