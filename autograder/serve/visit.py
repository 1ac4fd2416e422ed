"""One request: who asks, what for, and the page that answers it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, cached_property
from pathlib import Path
from zoneinfo import ZoneInfo

from jinja2 import Environment
from markupsafe import Markup
from starlette.datastructures import UploadFile
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import HTMLResponse, JSONResponse, Response

from autograder.browsers import address, address_of
from autograder.course import Course
from autograder.errors import in_digits
from autograder.serve.doors import Doors
from autograder.serve.line import Line
from autograder.serve.live import Board
from autograder.serve.people import Identity, Session, Whose
from autograder.serve.store import Store
from autograder.serve.told import Telling
from autograder.serve.tries import Tries, Try
from autograder.telling.pages.looks import environment

TEMPLATES = Path(__file__).parent / "templates"
FOR_PROGRAMS = "/api/"  # what notebooks ask, with a token: no cookie counts there


@dataclass(frozen=True)
class House:
    """What all requests share."""

    store: Store
    tries: Tries
    line: Line
    telling: Telling
    board: Board
    doors: Doors


@dataclass(frozen=True)
class Visit:
    """A request of somebody who may ask for it, with the form that came along, if any."""

    request: Request
    house: House
    session: Session | None
    form: Mapping[str, str | UploadFile] = field(default_factory=dict)

    @property
    def course(self) -> Course:
        return self.house.store.course

    @property
    def tries(self) -> Tries:
        return self.house.tries

    @property
    def who(self) -> Identity:
        """Who asks; only pages for those who are signed in need it."""
        assert self.session is not None
        return self.session.identity

    def sees(self, student: str) -> bool:
        return student in self._seen

    @cached_property
    def _seen(self) -> Whose:
        return self.who.sees(self.course)

    def text(self, name: str, most: int = 200) -> str:
        """Return a field of the form, cut to `most` characters."""
        value = self.form.get(name, "")
        return value.strip()[:most] if isinstance(value, str) else ""

    def note(self, did: str, about: str = "") -> None:
        """Note in the audit log what this person does, and `about` which student."""
        where = address_of(self.request)
        self.house.store.note(self.who.person, self.who.role, where, did, about)

    @property
    def assignment(self) -> str:
        name = str(self.request.path_params["assignment"])
        if name not in self.course.released():
            raise HTTPException(404, "There is no such assignment: go back to the list.")
        return name

    @property
    def number(self) -> int:
        """The number in the address; there is nothing under one that no table can have."""
        return min(int(self.request.path_params["number"]), 2**31 - 1)

    @property
    def found(self) -> Try:
        """The try in the address, if this person may see it."""
        found = self.tries.find(self.number)
        if found is None or not self.sees(found.student):
            raise HTTPException(404, "There is no such try: go back to the list.")
        return found

    def page(self, template: str, said: Mapping[str, object], status: int = 200) -> Response:
        """Return a page; everything that isn't HTML already is escaped."""
        made = _environment(self.course.settings.time_zone).get_template(template)
        about = {"course": self.course.settings, "session": self.session, "house": self.house}
        return HTMLResponse(made.render(said, csrf=self._csrf, **about), status)

    def sentence(self, said: str, status: int) -> Response:
        """Return a page with nothing but a sentence; to a program, the sentence."""
        if is_by_program(self.request):
            return JSONResponse({"sentence": said}, status)
        return self.page("sentence.html", {"sentence": said}, status)

    def _csrf(self) -> Markup:
        """Return the field by which a form shows that a page of ours holds it."""
        value = self.session.csrf if self.session else ""
        return Markup('<input type="hidden" name="csrf" value="{}">').format(value)


def is_by_program(request: Request) -> bool:
    path: str = request.scope["path"]
    return path.startswith(FOR_PROGRAMS)


@cache
def _environment(zone: str) -> Environment:
    made = environment(TEMPLATES)

    def when(time: datetime | None) -> str:
        """Return a time as people of the course read it."""
        aware = time if time is None or time.tzinfo else time.replace(tzinfo=UTC)
        return f"{aware.astimezone(ZoneInfo(zone)):%a %d %b, %H:%M}" if aware else ""

    made.filters["when"] = when
    made.filters["number"] = lambda value: in_digits(value) or "–"
    made.globals["address"] = address
    return made
