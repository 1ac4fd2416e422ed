"""Answers to one exercise of the kit, examined in this process with everything else solved."""

from collections.abc import Sequence
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from autograder.diagnosis.case import Finding
from autograder.diagnosis.diagnosis import Diagnosis
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


def some(parameters: Sequence[Any], every: int) -> list[Any]:
    """Leave all but every so many parameters to `make exhaustive`."""
    late = pytest.mark.exhaustive
    return [
        p if n % every == 0 else pytest.param(*p.values, id=p.id, marks=(*p.marks, late))
        for n, p in enumerate(parameters)
    ]


def exercise_of(path: Path) -> tuple[str, str]:
    """Return the assignment and the exercise that the answer at `path` is for."""
    return path.parts[-4], path.parts[-3]


@cache
def hidden_tests(assignment: str) -> HiddenTests:
    return HiddenTests(KIT.at_own_worth(), assignment)


def given(assignment: str) -> list[str]:
    """Return the sources of the setup cells of an assignment of the kit."""
    exercises = hidden_tests(assignment).points
    return [source for name, source in solved(KIT, assignment).items() if name not in exercises]


@cache
def diagnosis(assignment: str) -> Diagnosis:
    return Diagnosis(KIT, assignment, given(assignment))


def examined(
    assignment: str,
    exercise: str,
    source: str,
    *,
    on: str = "",
    seed: int = 0,
    draws: int = 0,
    skip_slow: bool = True,
) -> tuple[Finding, ...]:
    """Examine `source` as the answer to `exercise`, by its own hidden tests or those `on` another.

    Everything else is solved.
    """
    tests = hidden_tests(assignment)
    cells = solved(KIT, assignment)
    sources = (cells | {exercise: source}).values() if on else answered(cells, exercise, source)
    with closing(InProcess(sources, tests.forbidden, may_raise=True)) as channel:
        return tests.examine(
            on or exercise, lambda: channel, seed, skip_slow=skip_slow, draws=draws
        )


def graded(assignment: str, exercise: str, source: str, seed: int = 0) -> ExerciseReport:
    findings = examined(assignment, exercise, source, seed=seed)
    return ExerciseReport.of(exercise, tuple(found.verdict for found in findings))
