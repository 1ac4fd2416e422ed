"""One call of a hidden test: what was asked, what came back, and what should have."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from autograder.testing.student import Exchange


@dataclass(frozen=True)
class Observed:
    """An exchange with the student's process, and the reply of a right answer to the same request.

    `is_train`: whether the module that was called was in train mode, as modules are when made.
    `is_random`: whether the right answer used random numbers, so that numbers can't be compared.
    """

    exchange: Exchange
    right: Mapping[str, Any]
    is_train: bool = False
    is_random: bool = False
