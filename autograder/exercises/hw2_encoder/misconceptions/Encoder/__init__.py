"""What learners get wrong in Encoder."""

from __future__ import annotations

from .layers import WRONG_LAYERS
from .length import WRONG_LENGTH
from .module import WRONG_MODULE
from .padding import WRONG_PADDING
from .positions import WRONG_POSITIONS
from .reference import REFERENCE
from .scale import WRONG_SCALE

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (
    *WRONG_SCALE,
    *WRONG_POSITIONS,
    *WRONG_LAYERS,
    *WRONG_PADDING,
    *WRONG_LENGTH,
    *WRONG_MODULE,
)
