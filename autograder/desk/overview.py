"""All questions, how far they are, and among whom they are shared out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograder.course.solution import Question
from autograder.desk.asked import Asked, name_of
from autograder.desk.rendering import Page, Redirect
from autograder.gradebook import giving, held
from autograder.gradebook.held import Held

MAX_GRADERS = 50


@dataclass(frozen=True)
class Progress:
    """How far the answers to one question are."""

    question: Question
    answers: Sequence[Held]
    graders: tuple[str, ...]

    @property
    def done(self) -> int:
        """How many are graded."""
        return sum(not each.waits for each in self.answers)

    @property
    def changed(self) -> int:
        """How many changed since they were graded."""
        return sum(each.waits and each.changed for each in self.answers)

    @property
    def old(self) -> int:
        """How many were graded by an earlier rubric."""
        return sum(each.graded_by_another(self.question.fingerprint) for each in self.answers)


def show(asked: Asked) -> Page:
    """Return the page with all questions of all assignments."""
    found = {name: _progress(asked, name) for name in asked.books.course.released()}
    return Page("overview.html", {"assignments": found})


def share(asked: Asked) -> Redirect:
    """Share a question out among the people who are named, separated by commas."""
    names = [name_of(name) for name in asked.one("graders").split(",") if name.strip()]
    unique = list(dict.fromkeys(names))[:MAX_GRADERS]
    giving.share(asked.books.engine, asked.assignment, asked.question.name, unique)
    return Redirect("/")


def rename(asked: Asked) -> Redirect:
    """Let whoever asks grade under another name."""
    return Redirect("/", name_of(asked.one("grader")))


def _progress(asked: Asked, assignment: str) -> list[Progress]:
    with asked.books.engine.connect() as connection:
        found = held.read(connection, assignment)
        shares = giving.shares(connection, assignment)
    return [
        Progress(question, [each for each in found if each.name == name], shares.get(name, ()))
        for name, question in asked.books.questions(assignment).items()
    ]
