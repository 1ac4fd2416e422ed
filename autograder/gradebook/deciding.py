"""Enter decisions about marks after grading, and take them back. Nothing is graded again."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict

from sqlalchemy import Connection

from autograder.course import Course
from autograder.errors import CourseError
from autograder.gradebook import configuration, database
from autograder.gradebook.changes import remember
from autograder.gradebook.configuration import graded_cell
from autograder.gradebook.decisions import Decision, Kind, Wish, read_decisions
from autograder.gradebook.feedback import withdraw_feedback
from autograder.gradebook.marks import read_marks
from autograder.gradebook.tables import DECISIONS
from autograder.grading.submissions import read_report, students_of


def decide(course: Course, wish: Wish, reason: str, by: str) -> Decision:
    """Enter a decision; marks follow when they are read. Raises `CourseError` if it can't be."""
    if not reason.strip():
        raise CourseError("Say why, by --reason: it is kept with the decision.")
    _check(course, wish)
    same = [d for d in list_decisions(course, [wish.assignment]) if d.holds and _is_same(d, wish)]
    if same:
        raise CourseError(f"That is decided already, as number {same[0].number}.")
    remember(course, wish.assignment)
    row = asdict(wish) | {"reason": " ".join(reason.split()), "by": by, "at": database.now()}
    with _writing(course) as connection:
        connection.execute(DECISIONS.insert().values(row))
        decision = read_decisions(connection)[-1]
    if wish.kind is Kind.WITHHOLD:
        withdraw_feedback(course, wish.assignment)
    return decision


def restore(course: Course, number: int, by: str) -> Decision:
    """Take a decision back; raise `CourseError` if there is none of that number to take back."""
    found = {each.number: each for each in list_decisions(course, course.assignment_names())}
    if number not in found:
        raise CourseError(f"No decision has number {number}: see `autograder decisions`.")
    if not found[number].holds:
        raise CourseError(
            f"Number {number} was taken back already, by {found[number].restored_by}."
        )
    remember(course, found[number].assignment)
    change = DECISIONS.update().where(DECISIONS.c.number == number)
    change = change.values(restored_by=by, restored_at=database.now())
    with _writing(course) as connection:
        connection.execute(change)
    return found[number]


@contextmanager
def _writing(course: Course) -> Iterator[Connection]:
    with (
        database.write_lock(course),
        database.opened(configuration.url(course)) as engine,
        database.writing(engine) as connection,
    ):
        yield connection


def list_decisions(course: Course, assignments: list[str]) -> list[Decision]:
    """Return the decisions on `assignments`, those that were taken back among them, in order."""
    with database.gradebook_of(course, DECISIONS) as engine:
        if engine is None:
            return []
        with engine.connect() as connection:
            found = read_decisions(connection)
    return [each for each in found if each.assignment in assignments]


def keep_theirs(course: Course, decision: Decision) -> list[str]:
    """Return the students whose points for an exercise stay, since a person gave them."""
    if decision.kind not in (Kind.DROP, Kind.ADD):
        return []
    cell = graded_cell(decision.exercise)  # that of a written answer has its own name
    held = {m.student: m[decision.exercise] for m in read_marks(course, [decision.assignment])}
    return [who for who, mark in held.items() if mark and mark.by_hand and mark.cell == cell]


def _check(course: Course, wish: Wish) -> None:
    """Raise `CourseError` if what is meant isn't there, or isn't recorded yet."""
    recorded = read_marks(course, [wish.assignment])
    if not recorded:
        raise CourseError(f"{wish.assignment} isn't graded yet: run `autograder grade` first.")
    names = [mark.name for mark in recorded[0].each]
    if wish.exercise not in names and (wish.exercise or wish.kind is not Kind.WITHHOLD):
        raise CourseError(
            f"{wish.assignment} has no exercise {wish.exercise!r}: choose from {', '.join(names)}."
        )
    known = _tests_of(course, wish.assignment, wish.exercise) if wish.test else []
    if wish.test not in ("", *known):
        hint = f"choose from {', '.join(known)}" if known else "a person gives its points"
        raise CourseError(f"{wish.exercise} has no hidden test {wish.test!r}: {hint}.")
    if wish.student and wish.student not in students_of(course, wish.assignment):
        raise CourseError(f"{wish.student} handed in nothing for {wish.assignment}.")


def _tests_of(course: Course, assignment: str, name: str) -> list[str]:
    """Return the hidden tests of an exercise that any stored report names."""
    found: dict[str, None] = {}
    for path in sorted((course.reports / assignment).glob("*.json")):
        with suppress(OSError, ValueError):  # damaged: `grade` makes it again
            exercises = (each for each in read_report(path).exercises if each.name == name)
            found |= dict.fromkeys(test.name for each in exercises for test in each.tests)
    return list(found)


def _is_same(old: Decision, wish: Wish) -> bool:
    """Tell whether a wish asks for what holds; points may well be added twice."""
    is_asked_again = asdict(wish).items() <= asdict(old).items()
    return is_asked_again and wish.kind not in (Kind.ADD, Kind.REWEIGH)
