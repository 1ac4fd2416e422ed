"""What an instructor decides about marks after grading: a wrong question, marks that are held back.

The points that were graded stay as they were recorded. What follows from decisions is computed from
them whenever marks are settled: so a decision can be taken back, and outlasts another grading.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum

from sqlalchemy import Connection, select

from autograder.course import Course
from autograder.errors import counted, in_digits
from autograder.gradebook.tables import DECISIONS
from autograder.report import ExerciseReport, Outcome, Report, Verdict, totals

_DROPPED = "dropped"


class Kind(StrEnum):
    DROP = "drop"  # everybody who handed in has its points
    LEAVE_OUT = "leave out"  # of the total
    ADD = "add"
    REWEIGH = "reweigh"
    WITHHOLD = "withhold"


@dataclass(frozen=True)
class Wish:
    """What is to be decided; an empty `test` or `student` means all of them.

    So does an empty `exercise`, of what is withheld.
    """

    kind: Kind
    assignment: str
    exercise: str = ""
    test: str = ""
    student: str = ""
    amount: float = 1  # points, or a factor


@dataclass(frozen=True, kw_only=True)
class Decision(Wish):
    number: int
    reason: str
    by: str
    at: datetime  # in UTC, without a time zone
    restored_by: str | None = None
    restored_at: datetime | None = None

    @property
    def holds(self) -> bool:
        return self.restored_by is None

    def concerns(self, name: str) -> bool:
        return self.exercise in ("", name)

    def sentence(self, what: str) -> str:
        """Say what follows for a student; `what` names the exercise or its check."""
        match self.kind:
            case Kind.DROP:
                said = f"{what} was dropped: everybody who handed in has its points."
            case Kind.LEAVE_OUT:
                said = f"{what} was dropped: it doesn't count any more."
            case Kind.ADD:
                more = counted(self.amount, "point")
                said = f"{what}: everybody who handed in has {more} more, up to the most there are."
            case Kind.REWEIGH:
                said = f"{what} counts {in_digits(self.amount)} times what it did."
            case Kind.WITHHOLD:
                whose = self.student or "everybody"
                return f"{what}: the marks of {whose} are withheld. {_ended(self.reason)}"
        return f"{said} {_ended(self.reason)}"


def read_decisions(connection: Connection, assignment: str | None = None) -> list[Decision]:
    """Return all decisions, those that were taken back among them, in order."""
    wanted = select(DECISIONS).order_by(DECISIONS.c.number)
    if assignment is not None:
        wanted = wanted.where(DECISIONS.c.assignment == assignment)
    found = (dict(row._mapping) for row in connection.execute(wanted))
    return [Decision(**columns | {"kind": Kind(columns["kind"])}) for columns in found]


def withheld(decisions: Iterable[Decision], student: str) -> tuple[Decision, ...]:
    """Return the decisions by which marks of `student` are held back."""
    return tuple(
        each
        for each in decisions
        if each.kind is Kind.WITHHOLD and each.holds and each.student in ("", student)
    )


def not_yet(course: Course, assignment: str) -> str:
    """Say when feedback on `assignment` is given out; nothing if it may be given by now."""
    since = course.settings.feedback_from(assignment)
    if since is None or since <= datetime.now(UTC):
        return ""
    return f"its feedback is given out from {since:%Y-%m-%d %H:%M %Z} on"


def for_points(decisions: Iterable[Decision], name: str) -> list[Decision]:
    """Return what changes the points of an exercise or a written answer, and holds."""
    return [d for d in decisions if d.exercise == name and d.holds and d.kind is not Kind.WITHHOLD]


# What follows from decisions


def decided(exercise: ExerciseReport, decisions: Sequence[Decision]) -> ExerciseReport:
    """Return what `exercise` comes to by these decisions about it; points added stand aside."""
    if not decisions:
        return exercise
    tests = {test.name: test for test in exercise.tests}
    for each in decisions:
        chosen = [name for name in tests if each.test in ("", name)]
        if each.kind is Kind.DROP and not each.test:
            tests = {_DROPPED: _given(sum(test.max_score for test in tests.values()))}
        elif each.kind is Kind.DROP:
            tests |= {name: _passed(tests[name]) for name in chosen}
        elif each.kind is Kind.LEAVE_OUT:
            tests = {name: test for name, test in tests.items() if name not in chosen}
        elif each.kind is Kind.REWEIGH:
            tests = {name: _times(test, each.amount) for name, test in tests.items()}
    found = ExerciseReport.of(exercise.name, tuple(tests.values()))
    if found.outcome is Outcome.PASSED:
        return found
    kept = ("misconceptions", "unexplained", "followed_through")
    return found.model_copy(update={name: getattr(exercise, name) for name in kept})


def decided_report(report: Report, decisions: Sequence[Decision]) -> Report:
    """Return `report` as its exercises come to by the decisions on the assignment."""
    exercises = tuple(decided(e, for_points(decisions, e.name)) for e in report.exercises)
    written = []
    for answer in report.manual:
        _, most = by_a_person(None, answer.max_score, for_points(decisions, answer.name))
        written.append(answer.model_copy(update={"max_score": most}))
    score, max_score = totals(exercises)
    update = {"exercises": exercises, "manual": tuple(written)}
    return report.model_copy(update=update | {"score": score, "max_score": max_score})


def by_the_grader(
    exercise: ExerciseReport, decisions: Sequence[Decision]
) -> tuple[float | None, float]:
    """Return the points that the grader gives, and the most that there are; None: not graded."""
    found = decided(exercise, decisions)
    if not found.is_graded:
        return None, found.max_score
    added = 0.0
    for each in decisions:
        added += each.amount if each.kind is Kind.ADD else 0
        added *= each.amount if each.kind is Kind.REWEIGH else 1
    return max(found.score, min(found.score + added, found.max_score)), found.max_score


def by_a_person(
    points: float | None, most: float, decisions: Sequence[Decision], *, is_written: bool = True
) -> tuple[float | None, float]:
    """Return the same of what a person gave.

    A written answer's points are a person's anyway. Elsewhere these go before what is given to
    everybody, and only follow the scale.
    """
    for each in decisions:
        if each.kind is Kind.REWEIGH:
            points, most = None if points is None else points * each.amount, most * each.amount
        elif each.kind is Kind.LEAVE_OUT and not each.test:
            points, most = 0, 0
        elif each.kind is Kind.DROP and is_written:
            points = most
        elif each.kind is Kind.ADD and is_written and points is not None:
            points = max(points, min(points + each.amount, most))
    return points, most


def notes_on(report: Report, decisions: Sequence[Decision]) -> Mapping[str, Sequence[str]]:
    """Return what a student is told of decisions, by exercise or written answer.

    Of a hidden test that isn't there any more, nothing is.
    """
    titles = {(e.name, t.name): t.title for e in report.exercises for t in e.tests}
    return {
        name: [
            each.sentence(
                f"The check “{titles[name, each.test].rstrip('.')}”" if each.test else f"`{name}`"
            )
            for each in for_points(decisions, name)
            if not each.test or (name, each.test) in titles
        ]
        for name in report.names
    }


def place(decision: Decision) -> str:
    """Return what a decision is about, such as `EncoderBlock, test_it_keeps_shapes`."""
    exercise = f"`{decision.exercise}`" if decision.exercise else decision.assignment
    return f"{exercise}, `{decision.test}`" if decision.test else exercise


def _given(points: float) -> Verdict:
    """Return what stands for all checks of an exercise that was dropped."""
    title = "Everybody who handed in has these points."
    return Verdict(
        name=_DROPPED, title=title, outcome=Outcome.PASSED, score=points, max_score=points
    )


def _passed(test: Verdict) -> Verdict:
    update = {"outcome": Outcome.PASSED, "score": test.max_score, "message": "", "fault": ""}
    return test.model_copy(update=update)


def _times(test: Verdict, factor: float) -> Verdict:
    update = {"score": test.score * factor, "max_score": test.max_score * factor}
    return test.model_copy(update=update)


def _ended(reason: str) -> str:
    return reason if reason.endswith((".", "!", "?")) else f"{reason}."
