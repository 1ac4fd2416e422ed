"""Appeals: a submission's exercises with their verdicts, and overrides with a reason.

An override is what a person gave: it holds for the answer that it was given for, however often that
is graded again. The reason is the comment that the student reads on the exercise's card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from markupsafe import Markup

from autograder.desk.asked import Asked, address
from autograder.desk.rendering import Page, Redirect
from autograder.errors import ChangedMeanwhile, DeskError
from autograder.gradebook import giving, held, marks
from autograder.gradebook.giving import Decision
from autograder.gradebook.held import Held
from autograder.grading.store import load
from autograder.telling.record import Card, card_of

MAX_LISTED = 200  # students at once: others are found by their id


@dataclass(frozen=True)
class Exercise:
    """An exercise of a submission: what is held, what feedback tells, and the student's code."""

    held: Held
    card: Card | None
    code: Markup


def students(asked: Asked) -> Page:
    """Return the page with the students whose submissions are recorded."""
    wanted = asked.query.get("find", "").strip()
    with asked.books.engine.connect() as connection:
        keys = {each.student: each.notebook for each in held.read(connection, asked.assignment)}
    found = sorted(
        (each for each in marks.of(asked.books.engine, asked.assignment) if each.student in keys),
        key=lambda each: each.student,
    )
    named = [each for each in found if wanted.casefold() in each.student.casefold()]
    said = {
        "assignment": asked.assignment,
        "find": wanted,
        "students": [(each, keys[each.student]) for each in named[:MAX_LISTED]],
        "left": max(0, len(named) - MAX_LISTED),
        "total": len(found),
    }
    return Page("students.html", said)


def show(asked: Asked) -> Page:
    """Return the page on one submission."""
    return _page(asked, saved=asked.query.get("saved", ""))


def override(asked: Asked) -> Page | Redirect:
    """Give points for an exercise with a reason, or take them back."""
    name = asked.one("name")
    try:
        decision = _decision(asked, name)
        action = giving.give(asked.books.engine, decision, asked.seen)
    except DeskError as error:
        status = 409 if isinstance(error, ChangedMeanwhile) else 422
        typed = {"points": asked.one("points"), "reason": asked.one("comment")}
        return _page(asked, error=str(error), about=name, typed=typed, status=status)
    _settle(asked)
    return Redirect(f"{_at(asked, saved=action)}#{name}")


def undo(asked: Asked) -> Redirect:
    """Put back what an override changed."""
    giving.undo(asked.books.engine, asked.one("action"))
    _settle(asked)
    return Redirect(_at(asked))


def _decision(asked: Asked, name: str) -> Decision:
    if asked.one("withdraw"):
        return Decision(asked.grader, None)
    found = [each for each in _held(asked) if each.name == name and each.key in asked.seen]
    if not found:
        raise DeskError("This exercise isn't in the gradebook any more: open the page again.")
    points, reason = asked.points(found[0].max_score), asked.comment
    if points is None:
        raise DeskError(f"{name} got no points: say how many of {found[0].max_score:g} it gets.")
    if not reason:
        raise DeskError(f"Say why {name} gets other points: the student reads it.")
    return Decision(asked.grader, points, reason)


def _held(asked: Asked) -> list[Held]:
    """Return what is held for the submission; raise `DeskError` if there is none."""
    with asked.books.engine.connect() as connection:
        found = held.read(connection, asked.assignment, notebook=asked.path["notebook"])
    if not found:
        raise DeskError("There is no such submission in the gradebook: go back to the students.")
    return found


def _settle(asked: Asked) -> None:
    asked.books.settle(asked.assignment, {_held(asked)[0].student})


def _at(asked: Asked, **query: str) -> str:
    return address("appeals", asked.assignment, asked.path["notebook"], **query)


def _page(
    asked: Asked,
    *,
    saved: str = "",
    error: str = "",
    about: str = "",
    typed: dict[str, str] | None = None,
    status: int = 200,
) -> Page:
    found = _held(asked)
    written = asked.books.questions(asked.assignment)
    said = {
        "assignment": asked.assignment,
        "notebook": asked.path["notebook"],
        "student": found[0].student,
        "exercises": _exercises(asked, [each for each in found if each.name not in written]),
        "written": [each for each in found if each.name in written],
        "saved": saved,
        "error": error,
        "about": about,
        "typed": typed or {},
    }
    return Page("appeal.html", said, status)


def _exercises(asked: Asked, found: Sequence[Held]) -> list[Exercise]:
    """Return the exercises in the order of the report."""
    if not found:
        return []
    student, reader = found[0].student, asked.books.reader
    report = load(asked.books.course, student, asked.assignment)
    code = reader.sources(asked.books.course.graded_path(student, asked.assignment))
    reports = {each.name: each for each in report.exercises} if report else {}
    order = {name: place for place, name in enumerate(reports)}
    cards = {name: card_of(each) for name, each in reports.items()}
    return [
        Exercise(each, cards.get(each.name), reader.code(code.get(each.name, "")))
        for each in sorted(found, key=lambda each: (order.get(each.name, len(order)), each.name))
    ]
