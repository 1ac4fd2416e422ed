"""A desk that is open, and somebody who reads its pages and sends its forms."""

import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from bs4 import BeautifulSoup, Tag

from autograder.browsers import listening
from autograder.course import Course
from autograder.desk.books import open_books
from autograder.desk.guard import Door, server
from autograder.gradebook.marks import Mark, read_marks
from autograder.gradebook.recording import record
from autograder.report import Outcome
from tests.toy_class import ToyClass
from tests.toys import RIGHT, SCRIPT, TOYS
from tests.visitors import Visitor, browser_at, serving

RUBRIC = "**Rubric**: one point for each half."
POINTS = ("the *first* half.", "the second half, where $x < 2$.")
LISTED = f"**Rubric**\n#\n# - 1 point: {POINTS[0]}\n# - 1 point: {POINTS[1]}"
WITH_RUBRIC = SCRIPT.replace(RUBRIC, LISTED).replace(
    "# %% [markdown] written=", "# %% [markdown]\n# Why is that so?\n\n# %% [markdown] written="
)
WHY = f"/question/{TOYS}/why"


class Person(Visitor):
    """Somebody who has the desk open."""

    def send(self, form: str = "#grade", /, **fields: str | list[str]) -> BeautifulSoup:
        """Send a form of the page, with these fields besides those that it holds."""
        found = self.page.select_one(form)
        assert found is not None, self.text
        data = self._held(found) | fields
        return self.read(self.http.post(str(found["action"]), data=data))

    def earn(self, *points: str, **fields: str | list[str]) -> BeautifulSoup:
        """Tick these points of the rubric, and save."""
        return self.send(earned=list(points), **fields)

    def answer(self) -> str:
        """The answer on the page."""
        found = self.page.select_one("#text")
        return found.get_text(" ", strip=True) if found else ""

    def undo(self) -> BeautifulSoup:
        return self.send("form.notice")

    def _held(self, form: Tag) -> dict[str, str | list[str]]:
        held: dict[str, str | list[str]] = {}
        for one in form.select("input[name], textarea[name]"):
            kind, name = one.get("type"), str(one["name"])
            value = one.get_text() if one.name == "textarea" else str(one.get("value", ""))
            if kind not in ("checkbox", "radio") or one.has_attr("checked"):
                held[name] = [*held.get(name, []), value]
        return held


@dataclass(frozen=True)
class OpenDesk:
    """A desk that is being served."""

    door: Door

    @property
    def site(self) -> str:
        return f"http://{self.door.host}:{self.door.port}"

    @property
    def address(self) -> str:
        return self.door.address

    @contextmanager
    def person(self) -> Iterator[Person]:
        """Come with the address that the desk printed."""
        with browser_at(self.site) as http:
            http.get(self.address).raise_for_status()
            yield Person(http)


@contextmanager
def desk(course: Course, grader: str = "ada", section: str | None = None) -> Iterator[OpenDesk]:
    """Open the desk of a course, or of a section of it."""
    with (
        open_books(course, course.section(section)) as books,
        listening("A test", "127.0.0.1", 0) as opened_at,
    ):
        door = Door("127.0.0.1", opened_at.getsockname()[1], secrets.token_urlsafe(24))
        with serving(server(books, door, grader), opened_at):
            yield OpenDesk(door)


@contextmanager
def reading(course: Course, path: str = WHY) -> Iterator[Person]:
    """Open the desk of a course, and a page of it."""
    with desk(course) as opened, opened.person() as person:
        person.open(path)
        yield person


def answered(toys: ToyClass, answers: dict[str, str]) -> ToyClass:
    """Record a class with these answers to `why`, by student; their code is right."""
    reports = []
    for student, why in answers.items():
        toys.hand_in(student, RIGHT | {"why": why})
        reports.append(toys.report(student, *9 * [Outcome.PASSED]))
    assert record(toys.course, reports) == []
    return toys


def marks_of_why(course: Course) -> dict[str, Mark]:
    """What feedback and exports tell of the written answer, by student."""
    found = {each.student: each["why"] for each in read_marks(course, [TOYS])}
    return {student: mark for student, mark in found.items() if mark}
