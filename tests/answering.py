"""Answers to one exercise of the kit, examined in this process with everything else solved."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.diagnosis.diagnosis import Diagnosis, Finding
from autograder.grading.hidden_tests import HiddenTests
from autograder.report import ExerciseReport
from autograder.sandbox.host.in_process import InProcess
from tests.courses import KIT, answered, solved

ANSWERS = KIT.answers


def answers(kind: str) -> list[Any]:
    """Return the answers of a kind, as parameters; those that need torch are for slow tests."""
    return [
        pytest.param(
            path,
            id=f"{path.parts[-3]}-{path.stem}",
            marks=() if path.parts[-4] == "hw1_attention" else pytest.mark.slow,
        )
        for path in sorted(ANSWERS.glob(f"*/*/{kind}/*.py"))
    ]


def exercise_of(path: Path) -> tuple[str, str]:
    """Return the assignment and the exercise that the answer at `path` is for."""
    return path.parts[-4], path.parts[-3]


@cache
def hidden_tests(assignment: str) -> HiddenTests:
    """The hidden tests of an assignment of the kit."""
    return HiddenTests(KIT, assignment)


def given(assignment: str) -> list[str]:
    """Return the sources of the setup cells of an assignment of the kit."""
    exercises = hidden_tests(assignment).points
    return [source for name, source in solved(KIT, assignment).items() if name not in exercises]


@cache
def diagnosis(assignment: str) -> Diagnosis:
    """What diagnoses answers to an assignment of the kit."""
    return Diagnosis(KIT, assignment, given(assignment))


def examined(
    assignment: str,
    exercise: str,
    source: str,
    *,
    on: str = "",
    seed: int = 0,
    skip_slow: bool = True,
) -> tuple[Finding, ...]:
    """Examine `source` as the answer to `exercise`, by its own hidden tests or those `on` another.

    Everything else is solved.
    """
    tests = hidden_tests(assignment)
    cells = solved(KIT, assignment)
    sources = (cells | {exercise: source}).values() if on else answered(cells, exercise, source)
    channel = InProcess(sources, tests.forbidden, may_raise=True)
    try:
        return tests.examine(on or exercise, lambda: channel, seed, skip_slow=skip_slow)
    finally:
        channel.close()


def graded(assignment: str, exercise: str, source: str, seed: int = 0) -> ExerciseReport:
    """Grade `source` as the answer to `exercise`."""
    findings = examined(assignment, exercise, source, seed=seed)
    return ExerciseReport.of(exercise, tuple(found.verdict for found in findings))
