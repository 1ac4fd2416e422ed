"""An answer to a small exercise, put to hidden tests that a test writes, and diagnosed."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from autograder.course import Course
from autograder.diagnosis.case import Finding
from autograder.diagnosis.diagnosis import Diagnosis
from autograder.report import Misconception, Outcome, Verdict
from autograder.sandbox.host.in_process import InProcess
from autograder.testing.expect import Revealing
from autograder.testing.failures import StudentFailure
from autograder.testing.misconceptions import Bank, Variant
from autograder.testing.student import Student
from tests.toys import TOYS, course_of

SETUP = "import numpy as np"
Ask = Callable[[Student], Any]


def finding_of(source: str, ask: Ask) -> Finding:
    """Put an answer to one hidden test."""
    student = Student(InProcess([SETUP, source]))
    outcome, reveals = Outcome.PASSED, ""
    try:
        ask(student)
    except AssertionError as error:
        outcome = Outcome.FAILED
        reveals = error.tag if isinstance(error, Revealing) else ""
    except StudentFailure as error:
        outcome = error.outcome
    earned = float(outcome is Outcome.PASSED)
    verdict = Verdict(name="", title="", outcome=outcome, score=earned, max_score=1)
    return Finding(verdict, tuple(student._exchanges), reveals=reveals)


def variant(tag: str, edits: dict[str, str], pairs: bool = True) -> Variant:
    """Make a mistake of the reference; its message is its tag."""
    return Variant(tag, tag, tag, edits, pairs=pairs)


@dataclass
class Room:
    """A course whose exercise `double` has the bank that a test gives it; `Counter` has none."""

    course: Course
    monkeypatch: pytest.MonkeyPatch

    def give(
        self,
        reference: str,
        *variants: Variant,
        styles: tuple[Variant, ...] = (),
        ideas: Mapping[str, int] | None = None,
    ) -> None:
        """Give `double` a bank."""
        banks = {"double": Bank("double", reference, variants, styles, ideas or {})}
        self.monkeypatch.setattr("autograder.diagnosis.diagnosis.banks_of", lambda *_: banks)

    def diagnosed(
        self, source: str, *asks: Ask, slow: Iterable[Ask] = (), exercise: str = "double"
    ) -> tuple[Misconception, ...]:
        """Diagnose an answer from what it does in hidden tests, of which some may be slow."""
        findings = [finding_of(source, ask) for ask in asks]
        findings += [replace(finding_of(source, ask), is_compared=False) for ask in slow]
        return Diagnosis(self.course, TOYS, [SETUP]).of(exercise, findings)

    def named(self, source: str, *asks: Ask, slow: Iterable[Ask] = ()) -> list[str]:
        """Return the tags that an answer is given."""
        return [found.tag for found in self.diagnosed(source, *asks, slow=slow)]


def room_at(root: Path, monkeypatch: pytest.MonkeyPatch) -> Room:
    """Make such a course at `root`."""
    return Room(course_of(root), monkeypatch)
