"""What learners get wrong in EncoderBlock."""

from __future__ import annotations

from .attention import WRONG_ATTENTION
from .dropout import WRONG_DROPOUT
from .feed_forward import WRONG_FEED_FORWARD
from .module import WRONG_MODULE
from .norm import WRONG_NORM
from .reference import REFERENCE
from .residual import WRONG_RESIDUAL

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (
    *WRONG_RESIDUAL,
    *WRONG_NORM,
    *WRONG_ATTENTION,
    *WRONG_FEED_FORWARD,
    *WRONG_DROPOUT,
    *WRONG_MODULE,
)
