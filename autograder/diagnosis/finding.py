"""What one hidden test found."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.report import Verdict
from autograder.testing.student import Exchange


@dataclass(frozen=True)
class Finding:
    """What one hidden test found, and the questions it asked the student on the way.

    `is_slow`: too much is computed to answer them to ask anybody else.
    """

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    is_slow: bool = False
