"""What learners get wrong in DecoderBlock."""

from __future__ import annotations

from .cross import WRONG_CROSS
from .mask import WRONG_MASK
from .norm import WRONG_NORM
from .parts import WRONG_PARTS
from .reference import REFERENCE
from .residual import WRONG_RESIDUAL

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (
    *WRONG_MASK,
    *WRONG_CROSS,
    *WRONG_RESIDUAL,
    *WRONG_NORM,
    *WRONG_PARTS,
)
