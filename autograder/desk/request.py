"""One request: what it asks for and who asks, and the page that answers it.

Templates render what an instructor wrote; what a student wrote comes to them as HTML.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Self

from jinja2 import Environment
from starlette.responses import HTMLResponse, Response

from autograder.browsers import address
from autograder.course.solution import Question, questions
from autograder.desk.books import Books
from autograder.errors import DeskError, shown
from autograder.gradebook.giving import MAX_COMMENT, MAX_NAME, points_in
from autograder.telling.pages.looks import environment

TEMPLATES = Path(__file__).parent / "templates"


class Show(StrEnum):
    WAITING = "waiting"
    ALL = "all"
    OLD = "old"  # graded by another rubric than the present one
    CHANGED = "changed"  # since they were graded
    SECOND = "second"  # to be read by this person as the second
    DIFFER = "differ"  # read by two people who gave other points


@dataclass(frozen=True)
class View:
    """How somebody looks at a question; every link keeps it."""

    show: Show = Show.WAITING
    names: bool = False  # answers with their authors, in order of name
    everyones: bool = False  # also answers that are shared out to others

    @classmethod
    def of(cls, given: Mapping[str, str]) -> Self:
        show = next((each for each in Show if each == given.get("show")), Show.WAITING)
        return cls(show, given.get("names") == "1", given.get("everyones") == "1")

    @property
    def fields(self) -> dict[str, str]:
        """What an address or a form has to say, to be read as this."""
        said = {"names": "1" * self.names, "everyones": "1" * self.everyones}
        said |= {"show": "" if self.show is Show.WAITING else self.show.value}
        return {name: value for name, value in said.items() if value}


@dataclass(frozen=True)
class PageRequest:
    books: Books
    grader: str
    csrf: str
    path: Mapping[str, str]
    query: Mapping[str, str]
    form: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def one(self, name: str) -> str:
        """Return the last value of a field, without white space around it."""
        return (self.form.get(name) or [""])[-1].strip()

    def many(self, name: str) -> Sequence[str]:
        return self.form.get(name, ())

    @property
    def assignment(self) -> str:
        """The assignment in the address; raise `CourseError` if there is none of that name."""
        return self.books.course.check_assignment(self.path["assignment"])

    @property
    def question(self) -> Question:
        """The written question in the address; raise `DeskError` if there is none."""
        found = questions(self.books.course, self.assignment).get(self.path["question"])
        if found is None:
            raise DeskError(
                f"{self.assignment} no longer has a written question of this name: go back to all "
                "questions."
            )
        return found

    @property
    def view(self) -> View:
        """How a question is looked at: as the form says, or else the address."""
        return View.of({name: self.one(name) for name in self.form} or self.query)

    @property
    def seen(self) -> dict[str, str]:
        """What the form was made from: versions by the key of the grade."""
        pairs = (each.partition(":") for each in self.many("seen"))
        return {key: version for key, _, version in pairs}

    @property
    def comment(self) -> str:
        """The comment in the form, and the earlier ones that were chosen there."""
        said = self.one("comment").replace("\r\n", "\n")
        again = [part for part in self.many("reuse") if part not in said.split("\n\n")]
        comment = "\n\n".join(part for part in [said, *again] if part)
        if len(comment) > MAX_COMMENT:
            raise DeskError(f"A comment has at most {MAX_COMMENT:,} characters: shorten it.")
        return comment

    def page(self, template: str, said: Mapping[str, object], status: int = 200) -> Response:
        """Return a page; everything that isn't HTML already is escaped."""
        made = _environment().get_template(template)
        return HTMLResponse(made.render(said, csrf=self.csrf, grader=self.grader), status)

    def points(self, most: float) -> float | None:
        """Return the points in the form, if any; raise `DeskError` if not from 0 to `most`."""
        return points_in(self.one("points") or self.one("whole"), most)


def grader_name(text: str) -> str:
    """Return the name of a grader; raise `DeskError` if it can't be one."""
    name = " ".join(text.split())
    if not name or len(name) > MAX_NAME or not name.isprintable():
        raise DeskError(f"'{shown(text[:20])}' can't be your name: write up to {MAX_NAME} letters.")
    return name


@cache
def _environment() -> Environment:
    made = environment(TEMPLATES, trims=False)
    made.globals["address"] = address
    return made
