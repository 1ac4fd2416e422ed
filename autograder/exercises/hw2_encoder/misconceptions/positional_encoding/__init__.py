"""What learners get wrong in positional_encoding."""

from __future__ import annotations

from .angle import WRONG_ANGLE
from .columns import WRONG_COLUMNS
from .reference import REFERENCE
from .shape import WRONG_SHAPE

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_COLUMNS, *WRONG_ANGLE, *WRONG_SHAPE)
