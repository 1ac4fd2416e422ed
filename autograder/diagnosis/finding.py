"""The result of one hidden test."""

from __future__ import annotations

from dataclasses import dataclass

from autograder.report import Verdict
from autograder.testing.student import Exchange


@dataclass(frozen=True)
class Finding:
    """The verdict of one hidden test, and its exchanges with the student's process.

    `is_slow`: replaying the calls against known misconceptions would take too long. `reveals`: the
    tag of the misconception that the failed check names by itself, if any.
    """

    verdict: Verdict
    exchanges: tuple[Exchange, ...]
    is_slow: bool = False
    reveals: str = ""
