"""The report on one submission: what was found, exercise by exercise. Its JSON is a public format.

`score` and `max_score` cover the exercises that are graded automatically; written answers wait
under `manual`. Nothing in a report changes once it is made.
"""

from __future__ import annotations

import re
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

SCHEMA: Literal["autograder/report/v1"] = "autograder/report/v1"

FOLLOWED_THROUGH = (
    "An earlier exercise isn't right yet. So that it costs its points only once, this one was "
    "graded with right answers from it."
)


class Outcome(StrEnum):
    """What became of a hidden test, and of an exercise."""

    PASSED = "PASSED"
    FAILED = "FAILED"
    ERROR = "ERROR"
    TIMEOUT = "TIMEOUT"
    MEMORY = "MEMORY"
    NOT_ATTEMPTED = "NOT_ATTEMPTED"
    GRADER_ERROR = "GRADER_ERROR"


_TERMINAL_CODE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|.)?", re.DOTALL)


def _printable(text: str) -> str:
    plain = _TERMINAL_CODE.sub("", text)
    return "".join(c for c in plain if c.isprintable() or c in "\n\t")


# Text that may come from a student: it can neither move a cursor nor hide what it says.
Text = Annotated[str, AfterValidator(_printable)]


class Record(BaseModel):
    """A frozen record that refuses fields it does not know."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Verdict(Record):
    """What one hidden test found. `title` says what it checks, `message` what did not hold."""

    name: str
    title: str
    outcome: Outcome
    score: float
    max_score: float
    message: Text = ""


class Misconception(Record):
    """A known mistake that the answer shows."""

    tag: str
    message: Text


class ExerciseReport(Record):
    """All verdicts on one exercise, in the order of its hidden tests.

    `followed_through`: calls of earlier exercises that failed were answered by the grader.
    """

    name: str
    score: float
    max_score: float
    outcome: Outcome
    tests: tuple[Verdict, ...]
    misconceptions: tuple[Misconception, ...] = ()
    followed_through: bool = False

    @classmethod
    def of(cls, name: str, verdicts: tuple[Verdict, ...]) -> ExerciseReport:
        """Sum up `verdicts`: PASSED at full points only, else the first outcome that is not.

        A fault of the grader's own comes last: what the student has to look at goes first.
        """
        others = [v.outcome for v in verdicts if v.outcome is not Outcome.PASSED]
        failed = [outcome for outcome in others if outcome is not Outcome.GRADER_ERROR] or others
        return cls(
            name=name,
            score=sum(verdict.score for verdict in verdicts),
            max_score=sum(verdict.max_score for verdict in verdicts),
            outcome=failed[0] if failed else Outcome.PASSED,
            tests=verdicts,
        )

    def reasons(self) -> tuple[Verdict, ...]:
        """Return the tests that failed for a reason which no earlier one gives, numbers aside."""
        first: dict[str, Verdict] = {}
        for test in self.tests:
            if test.outcome is not Outcome.PASSED:
                first.setdefault(re.sub(r"\b\d+\b", "", test.message), test)
        return tuple(first.values())


class WrittenAnswer(Record):
    """An answer in prose that a person grades."""

    name: str
    max_score: float


class CellOutput(Record):
    """What a cell of the student's printed when it ran, and the error that ended it, if any."""

    cell: str
    text: Text = ""
    error: Text = ""


class Report(Record):
    """Everything the grader found out about one submission."""

    schema_: Literal["autograder/report/v1"] = Field(default=SCHEMA, alias="schema")
    assignment: str
    student: Text
    score: float
    max_score: float
    exercises: tuple[ExerciseReport, ...]
    manual: tuple[WrittenAnswer, ...] = ()
    warnings: tuple[Text, ...] = ()
    cells: tuple[CellOutput, ...] = ()
    isolation: str = ""
    seed: int = 0
    notebook_sha256: str = ""
    fingerprint: dict[str, str] = Field(default_factory=dict)  # of all else that decides the score

    def to_json(self) -> str:
        """Return the report as JSON, the same bytes for the same report."""
        return self.model_dump_json(by_alias=True, indent=2) + "\n"
