"""The report on one submission, exercise by exercise. Its JSON is a public format.

`score` and `max_score` cover the exercises that are graded automatically; written answers are
listed under `manual`. Reports are immutable.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import StrEnum
from typing import Annotated, Any, Literal, get_args

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, model_validator

FOLLOWED_THROUGH = (
    "An earlier exercise isn't right yet. So that the mistake costs points only once, this "
    "exercise was graded with correct answers to the earlier one."
)
NOT_GRADED = "not graded yet"  # what students and instructors read, wherever points are shown
Schema = Literal["autograder/report/v1"]
SCHEMA: Schema = get_args(Schema)[0]
TINY = 1e-9  # what a sum of points, or of shares of them, may be off, since they are floats


class Outcome(StrEnum):
    """The outcome of a test or an exercise; a GRADER_ERROR costs no points, and earns none.

    LATER is that of a test that runs once the due date has passed, whose points wait until then.
    """

    PASSED = "PASSED"
    FAILED = "FAILED"
    ERROR = "ERROR"
    TIMEOUT = "TIMEOUT"
    MEMORY = "MEMORY"
    NOT_ATTEMPTED = "NOT_ATTEMPTED"
    GRADER_ERROR = "GRADER_ERROR"
    LATER = "LATER"


_TERMINAL_CODE = re.compile(r"\x1b(\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(\x07|\x1b\\)|.)?", re.DOTALL)


def printable(text: str) -> str:
    """Return `text` without control characters, which could disguise it."""
    return "".join(c for c in text if c.isprintable() or c in "\n\t")


# Text that may come from a student, without control characters and terminal codes.
Text = Annotated[str, AfterValidator(lambda text: printable(_TERMINAL_CODE.sub("", text)))]


class Record(BaseModel):
    """An immutable record that rejects unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


class Verdict(Record):
    """The verdict of one hidden test. `title` says what it checks, `message` why it failed.

    `idea` is what its points are for, in Markdown; several tests may share one. `fault` is for the
    instructor alone: the traceback of a hidden test that could not be run.
    """

    name: str
    title: str
    outcome: Outcome
    score: float
    max_score: float
    message: Text = ""
    fault: Text = ""
    idea: str = ""

    @property
    def reason(self) -> str:
        """What an instructor reads in a line: the error of a fault, else the message."""
        return self.fault.splitlines()[-1] if self.fault else self.message


ONE_CHANGE = "one-change-"  # begins the tag of what nobody knows, and one change mends


class Misconception(Record):
    tag: str
    message: Text

    @property
    def is_shared(self) -> bool:
        """Whether all who have its tag made the same mistake."""
        return not self.tag.startswith(ONE_CHANGE)


class ExerciseReport(Record):
    """All verdicts on one exercise. `followed_through`: its calls of earlier ones were answered.

    `unexplained` has the names of the failed tests that are no matter of its `misconceptions`.
    """

    name: str
    score: float
    max_score: float
    outcome: Outcome
    tests: tuple[Verdict, ...]
    misconceptions: tuple[Misconception, ...] = ()
    unexplained: tuple[str, ...] = ()
    followed_through: bool = False

    @classmethod
    def of(cls, name: str, verdicts: tuple[Verdict, ...]) -> ExerciseReport:
        """Sum up `verdicts`: PASSED if all tests passed, else the first other outcome.

        A fault of the grader, and what runs later, count last, so that students see first what they
        can change.
        """
        others = [v.outcome for v in verdicts if v.outcome is not Outcome.PASSED]
        waits = (Outcome.GRADER_ERROR, Outcome.LATER)
        failed = [outcome for outcome in others if outcome not in waits] or others
        return cls(
            name=name,
            score=sum(verdict.score for verdict in verdicts),
            max_score=sum(verdict.max_score for verdict in verdicts),
            outcome=failed[0] if failed else Outcome.PASSED,
            tests=verdicts,
        )

    @property
    def is_graded(self) -> bool:
        """Whether all of its hidden tests could be run; if not, its points aren't decided yet."""
        return not self.faults

    @property
    def faults(self) -> tuple[Verdict, ...]:
        """The hidden tests that could not be run, through a fault of the grader."""
        return tuple(test for test in self.tests if test.outcome is Outcome.GRADER_ERROR)

    @property
    def later(self) -> tuple[Verdict, ...]:
        """The hidden tests that run once the due date has passed."""
        return tuple(test for test in self.tests if test.outcome is Outcome.LATER)

    def with_tests(self, verdicts: tuple[Verdict, ...]) -> ExerciseReport:
        """Return the report with these verdicts in place of its own, summed up anew."""
        whole = ExerciseReport.of(self.name, verdicts)
        kept = ("tests", "score", "max_score", "outcome")
        return self.model_copy(update={name: getattr(whole, name) for name in kept})

    def reasons(self) -> tuple[Verdict, ...]:
        """Return the tests that failed with a message unlike any earlier one, ignoring numbers.

        Once mistakes have names, these are the tests that they don't explain.
        """
        first: dict[str, Verdict] = {}
        for test in self.tests:
            is_told = not self.misconceptions or test.name in self.unexplained
            if is_told and test.outcome not in (Outcome.PASSED, Outcome.LATER):
                first.setdefault(re.sub(r"\b\d+\b", "", test.message), test)
        return tuple(first.values())


class WrittenAnswer(Record):
    name: str
    max_score: float
    is_blank: bool = False  # its cell is as it was released; there may be an answer on paper


class CellOutput(Record):
    """The output of one of the student's cells, and the error that ended it, if any."""

    cell: str
    text: Text = ""
    error: Text = ""


class Report(Record):
    """The complete result of grading one submission.

    `score` and `max_score` leave out exercises that are not graded yet.
    """

    schema_: Schema = Field(default=SCHEMA, alias="schema")
    assignment: str
    student: Text
    score: float
    max_score: float
    exercises: tuple[ExerciseReport, ...]
    manual: tuple[WrittenAnswer, ...] = ()
    warnings: tuple[Text, ...] = ()
    missing_modules: tuple[str, ...] = ()  # that the notebook imports and the grader lacks
    cells: tuple[CellOutput, ...] = ()
    isolation: str = ""
    notebook_sha256: str = ""
    fingerprint: dict[str, str] = Field(default_factory=dict)  # of all else that decides the score

    @model_validator(mode="before")
    @classmethod
    def _without_seed(cls, said: Any) -> Any:
        """Read reports of version 1.0, too: they told the seed, from which all inputs are drawn."""
        return {k: v for k, v in said.items() if k != "seed"} if isinstance(said, dict) else said

    @property
    def names(self) -> tuple[str, ...]:
        """The names of exercises and written answers."""
        exercises = (exercise.name for exercise in self.exercises)
        return (*exercises, *(answer.name for answer in self.manual))

    @property
    def is_graded(self) -> bool:
        return all(exercise.is_graded for exercise in self.exercises)

    @property
    def is_early(self) -> bool:
        """Whether there are hidden tests that run once the due date has passed."""
        return any(exercise.later for exercise in self.exercises)

    def to_json(self) -> str:
        """Return the report as JSON; equal reports give the same bytes."""
        return self.model_dump_json(by_alias=True, indent=2) + "\n"


def totals(exercises: Iterable[ExerciseReport]) -> tuple[float, float]:
    """Return the points earned, and those to be earned, in the exercises that are graded."""
    graded = [exercise for exercise in exercises if exercise.is_graded]
    return sum(each.score for each in graded), sum(each.max_score for each in graded)
