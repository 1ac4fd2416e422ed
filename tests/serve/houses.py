"""A server without its threads: tests say themselves what the grader found, and when."""

import io
import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass

from bs4 import BeautifulSoup

from autograder.browsers import listening
from autograder.course import Course
from autograder.gradebook import configuration, database
from autograder.gradebook.database import now
from autograder.gradebook.recording import record
from autograder.report import Outcome, Report
from autograder.serve import invites
from autograder.serve.doors import Doors
from autograder.serve.entrance import SOON
from autograder.serve.line import Line
from autograder.serve.live import Board
from autograder.serve.people import Identity
from autograder.serve.serving import Where, server
from autograder.serve.store import open_store
from autograder.serve.tables import TryState
from autograder.serve.told import Telling
from autograder.serve.tries import Tries, Try
from autograder.serve.visit import House
from tests.notebooks import filled
from tests.toy_class import ToyClass
from tests.toys import RIGHT, TOYS, with_settings
from tests.visitors import Visitor, browser_at, serving

ROSTER = """\
student_id,name,section
ada,Ada Lovelace,A
bob,Bob,B
eve,Eve,A and B
"""
PASSED = 9 * [Outcome.PASSED]
FAILED = [*5 * [Outcome.FAILED], *4 * [Outcome.PASSED]]
Answers = dict[str, str]


class Person(Visitor):
    """Somebody at the server."""

    def send(
        self, form: str, files: dict[str, tuple[str, bytes]] | None = None, **fields: str
    ) -> BeautifulSoup:
        """Send a form of the page, with these fields besides those that it holds."""
        found = self.page.select_one(form)
        assert found is not None, self.text
        inputs = found.select("input[type=hidden]")
        held = {str(each["name"]): str(each.get("value", "")) for each in inputs}
        action = str(found.get("action") or self.path)
        return self.read(self.http.post(action, data=held | fields, files=files))

    def hand_in(self, raw: bytes, assignment: str = TOYS) -> BeautifulSoup:
        self.open(f"/homework/{assignment}")
        return self.send("form.drop", {"notebook": (f"{assignment}.ipynb", raw)})

    @property
    def number(self) -> int:
        """The number of the try that the page is about."""
        return int(re.findall(r"\d+", self.path)[-1])


@dataclass(frozen=True)
class School:
    """A course whose server is open."""

    toys: ToyClass
    house: House
    site: str

    @property
    def tries(self) -> Tries:
        return self.house.tries

    @contextmanager
    def signed_in(self, who: Identity | None) -> Iterator[Person]:
        """Come as somebody, by a link of their own; or as nobody in particular."""
        with browser_at(self.site) as http:
            person = Person(http)
            if who:
                person.open(invites.invite(self.house.store, who, SOON))
                person.send("main form")
            yield person

    def student(self, name: str = "ada") -> AbstractContextManager[Person]:
        return self.signed_in(Identity(name))

    def notebook(self, answers: Answers | None = None, note: str = "") -> bytes:
        content = filled(self.toys.course.release_path(TOYS), RIGHT | (answers or {}))
        content["metadata"]["note"] = note  # which makes it other bytes
        return json.dumps(content).encode()

    def keep(self, student: str = "ada", note: str = "") -> Try:
        """Hand something in for a student."""
        upload = io.BytesIO(self.notebook(note=note))
        return self.tries.keep(student, TOYS, upload, "page")

    def grade(self, found: Try, outcomes: list[Outcome] = PASSED) -> Try:
        """Let the grader find this, and record it."""
        self.toys.hand_in_bytes(found.student, self.tries.path(found).read_bytes())
        report = self.toys.report(found.student, *outcomes)
        self.toys.course.submission_path(found.student, TOYS).unlink()
        self.tries.save_report(report)
        score = {"score": report.score, "max_score": report.max_score}
        self.tries.update(found.number, state=TryState.GRADED, **score)
        self.record(found)
        return self.tries.find(found.number) or found

    def record(self, found: Try) -> Report | None:
        report = self.tries.place(found.student, found.assignment)
        assert report is not None
        assert record(self.house.store.course, [report]) == []
        self.tries.update(found.number, state=TryState.RECORDED, finished=now())
        return report


@contextmanager
def school_of(toys: ToyClass, policies: str = "", settings: str = "") -> Iterator[School]:
    """Open the server of a course, with these policies, and settings of its own."""
    root = toys.course.root
    (root / "roster.csv").write_text(ROSTER)
    with listening("A test", "127.0.0.1", 0) as opened:
        site = f"http://127.0.0.1:{opened.getsockname()[1]}"
        course = with_settings(root, f'{settings}\n[serve]\naddress = "{site}"\n{policies}')
        with (
            house_without_threads(course) as house,
            serving(server(house, Where()), opened),
        ):
            yield School(ToyClass(course), house, site)


@contextmanager
def house_without_threads(course: Course) -> Iterator[House]:
    with open_store(course) as store, database.opened(configuration.url(course)) as gradebook:
        tries = Tries(store)
        line = Line(tries, workers=2)
        with closing(Telling(tries, gradebook)) as telling:
            yield House(store, tries, line, telling, Board(line), Doors())
