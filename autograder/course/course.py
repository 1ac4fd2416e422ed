"""Where everything of a course lies. The engine knows paths only through a `Course`.

A seed that nobody chose is drawn when it is first needed, and kept in `seed.txt`: anybody who knows
it can compute what the hidden tests will ask.
"""

from __future__ import annotations

import glob
import os
import secrets
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course import roster, settings
from autograder.course.roster import EVERYBODY, Person, Section, read_roster
from autograder.course.saving import save_first
from autograder.course.settings import CourseSettings
from autograder.errors import CourseError, NoCourse

SEED, DATABASE = "AUTOGRADER_SEED", "AUTOGRADER_DB_URL"
SEED_FILE = "seed.txt"
MAX_SEED = 2**63  # too many to try: a student's code sees inputs that are drawn from the seed
CERTIFICATE = "cluster.pem"  # of a Dask cluster, and the key to it
DEMO = ".demo"  # the folder of the demo's course
LTI_KEYS = ".lti-keys"  # the folder of the keys by which learning platforms know the server
SERVED = "serve.db"  # what the server keeps: what came in, and who is signed in
_SQLITE = "sqlite:///"
_SQLITE_FILES = ("", "-wal", "-shm", "-journal")  # of a database, by what is behind its name


class _Folder:
    def __init__(self, name: str) -> None:
        self.name = name

    def __get__(self, course: Course, owner: object = None) -> Path:
        return course.root / self.name


@dataclass(frozen=True)
class Course:
    """A directory with a `course.toml`, and what that says."""

    root: Path
    settings: CourseSettings = field(hash=False)
    overrides: tuple[str, ...] = ()  # a sentence for each setting that the environment overrides

    solutions = _Folder("solutions")  # the instructor's percent scripts
    assignments = _Folder("assignments")  # what students receive, one folder an assignment
    submitted = _Folder("submitted")  # `<student_id>/<assignment>/<assignment>.ipynb`
    autograded = _Folder("autograded")  # what nbgrader keeps of those: `<student_id>/<assignment>/`
    reports = _Folder("reports")  # what the grader found: `<assignment>/<student_id>.json`
    feedback = _Folder("feedback")  # the pages that students get back
    packages = _Folder("packages")  # autograders for platforms: `<assignment>-<platform>.zip`
    exports = _Folder("exports")  # what goes back to learning platforms
    work = _Folder(".course")  # what only programs read; anybody may delete it

    @classmethod
    def find(cls) -> Course:
        """Return the course that the working directory lies in."""
        here = Path.cwd()
        for folder in (here, *here.parents):
            if (folder / settings.FILE).is_file():
                return cls.load(folder)
        raise NoCourse(
            f"There is no {settings.FILE} here or above: change into a course's folder, or make a "
            "new course with `autograder init DIR`."
        )

    @classmethod
    def load(cls, root: Path, environment: Mapping[str, str] = os.environ) -> Course:
        """Return the course at `root`, by its `course.toml` and by what overrides it."""
        said = settings.read_settings(root / settings.FILE)
        update: dict[str, object] = {}
        overrides = []
        if (text := environment.get(SEED)) is not None:
            try:
                update["seed"] = seed = int(text)
            except ValueError:
                raise CourseError(f"{SEED} is {text!r}: give a whole number.") from None
            if said.seed is None and (root / SEED_FILE).exists():
                overrides.append(f"{SEED} overrides the seed in {SEED_FILE}.")
            elif said.seed not in (None, seed):
                overrides.append(f"{SEED} overrides the seed in {settings.FILE}.")
        if DATABASE in environment:
            update["database"] = environment[DATABASE]
            if said.database != environment[DATABASE]:
                overrides.append(f"{DATABASE} overrides the database in {settings.FILE}.")
        course = cls(root, said.model_copy(update=update), tuple(overrides))
        known = course.assignment_names()
        if odd := next((name for name in said.assignments if name not in known), None):
            raise CourseError(
                f"{root / settings.FILE}: `assignments.{odd}` is about no assignment of this "
                f"course: there are {', '.join(known) or 'none'}."
            )
        return replace(course, settings=_by_section(course))

    def with_seed(self, seed: int) -> Course:
        return replace(self, settings=self.settings.model_copy(update={"seed": seed}))

    def at_address(self, address: str) -> Course:
        """Return the course with its server at `address`, whatever `course.toml` says."""
        serve = self.settings.serve.model_copy(update={"address": address})
        return replace(self, settings=self.settings.model_copy(update={"serve": serve}))

    def at_own_worth(self) -> Course:
        """Return the course with exercises worth what their hidden tests say, not `course.toml`.

        Whether tests are good shows in points, and an exercise may be worth none in this course.
        """
        said = {
            name: each.model_copy(update={"points": {}})
            for name, each in self.settings.assignments.items()
        }
        return replace(self, settings=self.settings.model_copy(update={"assignments": said}))

    @property
    def seed(self) -> int:
        """What hidden inputs are drawn from; runs that draw it at the same moment agree on one."""
        if self.settings.seed is not None:
            return self.settings.seed
        path = self.root / SEED_FILE
        if not path.exists():
            _keep_seed(path)
        try:
            with path.open("rb") as file:
                return int(file.read(100))
        except OSError as error:
            said = f"{path} can't be read ({error.strerror}): make it readable."
            raise CourseError(said) from None
        except ValueError:
            raise CourseError(
                f"{path} must hold the course's seed, a whole number: restore it, or delete it to "
                "draw another, after which everything is graded again."
            ) from None

    @property
    def exercises(self) -> Path:
        """Hidden tests and known mistakes, a folder an assignment."""
        return self.root / self.settings.exercises

    @property
    def answers(self) -> Path:
        """Right and wrong answers: `<assignment>/<exercise>/{right,wrong}/*.py`."""
        return self.root / self.settings.answers

    @property
    def database(self) -> str:
        """The gradebook's URL. A file is looked for in the course's folder."""
        url = self.settings.database
        if not url.startswith(_SQLITE):
            return url
        # The timeout is for a gradebook that somebody else writes to: wait, and lose no grade.
        file, _, options = url.removeprefix(_SQLITE).partition("?")
        return f"{_SQLITE}{self.root / file}?{options or 'timeout=60'}"

    def secrets(self) -> list[Path]:
        """Return what no student's process may read, wherever the course lies."""
        folders = (self.exercises, self.answers, self.solutions, self.submitted, self.reports)
        made = (self.feedback, self.packages, self.exports, self.work, self.autograded)
        names = [settings.FILE, SEED_FILE, roster.FILE, "unassigned.csv", LTI_KEYS]
        names += [CERTIFICATE, DEMO]
        names += [SERVED + end for end in _SQLITE_FILES]
        if self.database.startswith(_SQLITE):
            file = self.database.removeprefix(_SQLITE).partition("?")[0]
            names += [file + end for end in _SQLITE_FILES]
            names += glob.glob(f"{glob.escape(file)}-v*")  # noqa: PTH207 - kept by `migrate`
        return [*folders, *made, *(self.root / name for name in names)]

    @property
    def people(self) -> tuple[Person, ...]:
        """The students in `roster.csv`, as it is now."""
        return read_roster(self.root / roster.FILE)

    def assignment_names(self) -> list[str]:
        """Every assignment that has a solution script, in order of name."""
        return sorted(script.stem for script in self.solutions.glob("*.py"))

    def released(self) -> list[str]:
        """Every assignment that students can have received."""
        return [name for name in self.assignment_names() if self.release_path(name).is_file()]

    def check_assignment(self, name: str) -> str:
        """Return `name` if it is an assignment of this course, else say which there are."""
        known = self.assignment_names()
        if name not in known:
            hint = f"choose from {', '.join(known)}" if known else "there are none yet"
            raise CourseError(f"No assignment is named {name!r}: {hint}.")
        return name

    def section(self, name: str | None) -> Section:
        """Return the section of this name; all of the class, if it is None."""
        return Section.of(self.people, name) if name else EVERYBODY

    def misconceptions_path(self, assignment: str) -> Path:
        return self.exercises / assignment / "misconceptions"

    def release_path(self, assignment: str) -> Path:
        return self.assignments / assignment / f"{assignment}.ipynb"

    def submission_path(self, student: str, assignment: str) -> Path:
        return self.submitted / student / assignment / f"{assignment}.ipynb"

    def graded_path(self, student: str, assignment: str) -> Path:
        """Where that notebook lies with the verdicts in it, once it is recorded."""
        return self.autograded / student / assignment / f"{assignment}.ipynb"

    def feedback_path(self, student: str, assignment: str) -> Path:
        return self.feedback / student / assignment / f"{assignment}.html"

    def report_path(self, student: str, assignment: str) -> Path:
        return self.reports / assignment / f"{student}.json"


def _by_section(course: Course) -> CourseSettings:
    """Give everybody the latest extension of their sections, but for those who have their own."""
    said = course.settings
    extended = {n: each for n, each in said.assignments.items() if each.extensions_by_section}
    people = course.people if extended else ()
    if not people:
        return said
    for name, each in extended.items():
        dates = sorted(each.extensions_by_section.items(), key=lambda pair: said.in_zone(pair[1]))
        sections = [(Section.of(people, section), until) for section, until in dates]
        given = {p.student_id: until for s, until in sections for p in people if p.student_id in s}
        extended[name] = each.model_copy(update={"extensions": given | each.extensions})
    return said.model_copy(update={"assignments": said.assignments | extended})


def _keep_seed(path: Path) -> None:
    """Draw a seed and keep it, unless another run has kept one meanwhile."""
    try:
        is_new = save_first(f"{secrets.randbelow(MAX_SEED)}\n".encode(), path, 0o660)
    except OSError as error:
        raise CourseError(
            f"The course's seed can't be kept in {path} ({error.strerror}): make the folder "
            "writable, or set AUTOGRADER_SEED."
        ) from None
    if is_new:
        print(f"note: a seed was drawn for this course, and is kept in {path}.", file=sys.stderr)
