"""What learners get wrong in scaled_dot_product_attention."""

from __future__ import annotations

from .product import WRONG_PRODUCT
from .reference import REFERENCE
from .result import WRONG_RESULT
from .scale import WRONG_SCALE
from .softmax import WRONG_SOFTMAX

__all__ = ["MISCONCEPTIONS", "REFERENCE"]

MISCONCEPTIONS = (*WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_PRODUCT, *WRONG_RESULT)
