"""`course.toml`: the one file that an instructor fills in.

A mistake in it is one sentence with the file, the key and what is allowed there.
"""

import ipaddress
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import asdict, fields
from datetime import MAXYEAR, UTC, datetime
from pathlib import Path
from typing import Annotated, Literal, Self, get_args
from urllib.parse import urlsplit
from zoneinfo import ZoneInfo

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeFloat,
    PositiveFloat,
    StrictInt,
    ValidationError,
    model_validator,
)
from pydantic_core import ErrorDetails

from autograder.course.loading import read_toml
from autograder.course.roster import IDS
from autograder.errors import CourseError
from autograder.sandbox.limits import Limits

FILE = "course.toml"
_LIMITS = {field.name: field.type for field in fields(Limits)}


def _known_limits(limits: dict[str, float]) -> dict[str, float]:
    for name, value in limits.items():
        if name not in _LIMITS:
            raise ValueError(f"{name} isn't a limit: choose from {', '.join(_LIMITS)}")
        if _LIMITS[name] is int and value % 1:
            raise ValueError(f"{name} must be a whole number, not {value:g}")
    return limits


def _known_zone(name: str) -> str:
    try:
        ZoneInfo(name)
    except (KeyError, ValueError, OSError):  # no such zone, or no name at all
        raise ValueError("time zones have names such as Europe/Berlin or UTC") from None
    return name


def _inside(folder: str) -> str:
    if Path(folder).is_absolute() or ".." in Path(folder).parts:
        raise ValueError("it must be a path inside the course's folder")
    return folder


def _within_the_calendar(time: datetime) -> datetime:
    # The calendar's last day has no counterpart in some time zones; 0202 is 2026, half typed.
    if not 1970 <= time.year < MAXYEAR:
        raise ValueError(f"its year must be from 1970 to {MAXYEAR - 1}")
    return time


_NAME = r"^[\w.-]+$"
_LINE = r"^[^\n|]*[^\s|][^\n|]*$"  # it stands in a table
_ON_GITHUB = r"^(https://github\.com/[\w.-]+/[\w.-]+(/tree/[\w./-]+)?/?)?$"
_HTTPS = r"^https://[^\s?#]+$"
_PACKAGE = r"^[A-Za-z0-9][\w.-]*$"
Line = Annotated[str, Field(pattern=_LINE)]
Package = Annotated[str, Field(pattern=_PACKAGE)]
Folder = Annotated[str, Field(min_length=1), AfterValidator(_inside)]
Days = Annotated[StrictInt, Field(ge=0, le=366)]
Fraction = Annotated[float, Field(ge=0, le=1)]
# A date alone would leave open when in the day.
When = Annotated[datetime, Field(strict=True), AfterValidator(_within_the_calendar)]
_ALLOWED = {  # pydantic's words, and ours
    f"String should match pattern '{_NAME}'": "it must be of letters, digits, `_`, `-` and `.`",
    f"String should match pattern '{_PACKAGE}'": "it must be the name of a package",
    f"String should match pattern '{_HTTPS}'": "it must begin with https://",
    f"String should match pattern '{_LINE}'": "it must be a text on one line, without |",
    f"String should match pattern '{_ON_GITHUB}'": "it must be the course's folder on GitHub, as "
    "https://github.com/owner/name or https://github.com/owner/name/tree/branch/folder",
    "Input should be a valid datetime": "it must be a date and a time, as 2026-10-05T23:59:00",
    "a valid dictionary": "a table",
    "True, False or": "true, false or",
    "a valid tuple": "a list",
    "Input should be": "it must be",
}


class _Table(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


class LatePolicy(_Table):
    per_day: Fraction
    at_most: Fraction = 1
    grace_minutes: NonNegativeFloat = 0


class GradescopeSettings(_Table):
    """When Gradescope shows students what they got; it then hides their total until that day."""

    visibility: Literal["visible", "after_due_date", "after_published", "hidden"] = "visible"


class AssignmentSettings(_Table):
    due: When | None = None
    late: LatePolicy | None = None
    extensions: dict[str, When] = Field(default_factory=dict)  # a due date by student
    feedback_from: When | None = None  # before it, nothing is given out
    extensions_by_section: dict[str, When] = Field(default_factory=dict)
    slip: dict[str, Days] = Field(default_factory=dict)  # days that a student chose
    limits: Annotated[dict[str, PositiveFloat], AfterValidator(_known_limits)] = Field(
        default_factory=dict
    )
    points: dict[str, NonNegativeFloat] = Field(default_factory=dict)  # a factor by exercise
    left_out: tuple[str, ...] = ()  # exercises
    gradescope: GradescopeSettings = GradescopeSettings()
    canvas_column: str = ""  # its title in the gradebook of Canvas, where that is another

    @model_validator(mode="after")
    def _extends_something(self) -> Self:
        if (self.extensions or self.extensions_by_section) and self.due is None:
            raise ValueError("extensions need a `due` date to extend")
        return self


def _known_pattern(pattern: str) -> str:
    try:
        groups = re.compile(pattern).groupindex
    except (re.error, RecursionError, OverflowError) as error:
        raise ValueError(f"it isn't a valid regular expression: {error}") from None
    if not set(groups) & {*IDS, "name"}:
        raise ValueError(f"it must name one of the groups {', '.join(IDS)}, name")
    return pattern


class CollectSettings(_Table):
    pattern: Annotated[str, AfterValidator(_known_pattern)]


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, which no network leads to."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _known_address(address: str) -> str:
    parts = urlsplit(address)
    is_plain = parts.hostname and parts.port != 0 and not parts.username
    usual = {"http": ":80", "https": ":443"}.get(parts.scheme)
    if not (is_plain and usual) or parts.path not in ("", "/") or parts.query or parts.fragment:
        raise ValueError("it must be an address as https://homework.example.org, without a path")
    # As browsers write it, who say where they are: in small letters, without the usual port.
    return address.lower().rstrip("/").removesuffix(usual)


class ServeSettings(_Table):
    """What students may do and see where they hand in at the course's own server."""

    address: Annotated[str, AfterValidator(_known_address)] = "http://127.0.0.1:8000"
    tries_a_day: Annotated[StrictInt, Field(ge=1, le=1000)] | None = None  # of an assignment
    counts: Literal["last", "best", "chosen"] = "last"  # which try
    # What is shown before the due date, each with all before it: the names of mistakes, which ideas
    # are right, and points.
    before_due: Literal["nothing", "names", "ideas", "marks"] = "marks"

    @property
    def has_address(self) -> bool:
        """Whether the course names its address: the default leads nowhere but to this machine."""
        return "address" in self.model_fields_set


class OpenIdSettings(_Table):
    """Who may sign in by an OpenID Connect provider, and as which student."""

    issuer: Annotated[str, Field(pattern=_HTTPS)]
    client_id: Annotated[str, Field(min_length=1)]
    button: Line = "Sign in with your university's account"
    claim: Line = "email"  # what the provider says of people that tells who they are here
    instructors: tuple[str, ...] = ()  # by that claim
    assistants: dict[str, str] = Field(default_factory=dict)  # their section; empty: everybody


class CourseSettings(_Table):
    """All of `course.toml`. Paths are relative to the course's folder."""

    id: Annotated[str, Field(pattern=_NAME)] = "course"
    title: str = "Course"
    seed: StrictInt | None = None  # one of the course's own, kept in seed.txt
    database: str = "sqlite:///gradebook.db"
    share: Literal["nobody", "group"] = "nobody"  # who else may use the course on this machine
    time_zone: Annotated[str, AfterValidator(_known_zone)] = "UTC"
    exercises: Folder = "exercises"
    answers: Folder = "answers"
    demo: Folder = "demo.toml"
    # What the box at the top of each notebook says.
    repository: Annotated[str, Field(pattern=_ON_GITHUB)] = ""  # for a link to Colab
    hand_in: Line = "this notebook, as NOTEBOOK, where your course collects homework"
    allowed_tools: Line = (
        "books, papers, documentation, and talking with others about ideas; what you hand in must "
        "be your own work"
    )
    ai_policy: Line = (
        "an assistant may explain an idea or an error message, but it may not write your code or "
        "your texts; where one helped, say so in a sentence"
    )
    packages: tuple[Package, ...] = ()  # that answers may import besides what the notebook does
    where_to_ask: Line = (
        "the course's forum or your instructor; bring the line with the ✗ and what you have tried"
    )
    notes: Literal[True, False, "first"] = True  # locked notes in notebooks: all, none, no examples
    notes_key: Annotated[str, AfterValidator(str.strip)] = ""  # no note opens without it
    late: LatePolicy | None = None  # for every assignment that has none of its own
    slip_days: Days = 0  # days late in a term that cost a student nothing
    collect: CollectSettings | None = None
    serve: ServeSettings = ServeSettings()
    openid: OpenIdSettings | None = None
    assignments: dict[str, AssignmentSettings] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _has_slip_days(self) -> Self:
        chosen = sum((Counter(each.slip) for each in self.assignments.values()), Counter[str]())
        if odd := next((who for who, days in chosen.items() if days > self.slip_days), ""):
            raise ValueError(
                f"`slip` gives {odd} {chosen[odd]} days in all, and `slip_days` is {self.slip_days}"
            )
        return self

    def assignment(self, name: str) -> AssignmentSettings:
        return self.assignments.get(name, AssignmentSettings())

    def limits(self, assignment: str) -> Limits:
        given = self.assignment(assignment).limits
        return Limits(**{n: type(old)(given.get(n, old)) for n, old in asdict(Limits()).items()})

    def late_policy(self, assignment: str) -> LatePolicy | None:
        """Return what lateness costs in `assignment`; None if nothing is said here."""
        return self.assignment(assignment).late or self.late

    def due(self, assignment: str, student: str | None = None) -> datetime | None:
        """Return when `assignment` is due, for `student` if given; None if nothing is said."""
        said = self.assignment(assignment)
        return self._here(said.extensions.get(student, said.due) if student else said.due)

    def is_early(self, assignment: str, student: str) -> bool:
        """Tell whether `student` may still hand in, by the due date, if there is one."""
        due = self.due(assignment, student)
        return due is not None and datetime.now(UTC) < due

    def feedback_from(self, assignment: str) -> datetime | None:
        """Return when points and pages on `assignment` may be given out; None if at once."""
        return self._here(self.assignment(assignment).feedback_from)

    def _here(self, time: datetime | None) -> datetime | None:
        return time and self.in_zone(time)

    def in_zone(self, time: datetime) -> datetime:
        """Return a time of `course.toml`, in the course's time zone if it gives none itself."""
        return time if time.tzinfo else time.replace(tzinfo=ZoneInfo(self.time_zone))


def read_settings(path: Path) -> CourseSettings:
    """Read the settings in `path`; raise `CourseError` with what is wrong in them."""
    try:
        return CourseSettings.model_validate(read_toml(path))
    except ValidationError as error:
        raise CourseError(f"{path}: {_said(error.errors()[0])}.") from None


def _said(error: ErrorDetails) -> str:
    key = ".".join(str(part) for part in error["loc"])
    if error["type"] == "extra_forbidden":
        # () in the file itself, ("late",) or ("assignments", "hw1", "late") in a table
        place = error["loc"][:-1]
        table = _TABLES[place[::2][-1]] if place else CourseSettings
        if table is CourseSettings and key in AssignmentSettings.model_fields:
            return f"`{key}` belongs to an assignment: put it below a line [assignments.NAME]"
        return f"there is no key `{key}`; the keys here are {', '.join(table.model_fields)}"
    if error["type"] == "missing":
        return f"`{key}` is missing"
    said = re.sub(r"^Value error, | or instance of \w+$", "", error["msg"])
    for theirs, ours in _ALLOWED.items():
        said = said.replace(theirs, ours)
    value = error["input"]
    told = repr(value) if isinstance(value, str) else value
    if isinstance(value, Mapping):
        return f"`{key}`: {said}" if key else said  # the whole file has no key
    return f"`{key}` is {told}: {said}"


# The tables in a table, by their keys, which are the same wherever they stand.
_TABLES: dict[int | str, type[_Table]] = {
    key: kind
    for table in (CourseSettings, AssignmentSettings)
    for key, field in table.model_fields.items()
    for kind in get_args(field.annotation) or (field.annotation,)
    if isinstance(kind, type) and issubclass(kind, _Table)
}
