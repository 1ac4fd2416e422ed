"""Where everything of a course lies. The engine knows paths only through a `Course`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from autograder.course import seeds, settings
from autograder.course.settings import CourseSettings
from autograder.errors import CourseError

SEED, DATABASE = "AUTOGRADER_SEED", "AUTOGRADER_DB_URL"
_SQLITE = "sqlite:///"


@dataclass(frozen=True)
class Course:
    """A directory with a `course.toml`, and what that says."""

    root: Path
    settings: CourseSettings = field(hash=False)
    overrides: tuple[str, ...] = ()  # a sentence for each setting that the environment overrides

    @classmethod
    def find(cls, start: Path | None = None) -> Course:
        """Return the course that `start` (default: the working directory) lies in."""
        start = (start or Path.cwd()).resolve()
        for folder in (start, *start.parents):
            if (folder / settings.FILE).is_file():
                return cls.load(folder)
        raise CourseError(
            f"There is no {settings.FILE} here or above: change into a course's folder, or make a "
            "new course with `autograder init DIR`."
        )

    @classmethod
    def load(cls, root: Path, environment: Mapping[str, str] = os.environ) -> Course:
        """Return the course at `root`, by its `course.toml` and by what overrides it."""
        said = settings.read(root / settings.FILE)
        update: dict[str, object] = {}
        overrides = []
        if SEED in environment:
            update["seed"] = seed = _whole_number(environment[SEED])
            if said.seed is None and (root / seeds.FILE).exists():
                overrides.append(f"{SEED} overrides the seed in {seeds.FILE}.")
            elif said.seed not in (None, seed):
                overrides.append(f"{SEED} overrides the seed in {settings.FILE}.")
        if DATABASE in environment:
            update["database"] = environment[DATABASE]
            if said.database != environment[DATABASE]:
                overrides.append(f"{DATABASE} overrides the database in {settings.FILE}.")
        course = cls(root, said.model_copy(update=update), tuple(overrides))
        for name in said.assignments:
            if name not in course.assignment_names():
                raise CourseError(
                    f"{root / settings.FILE}: `assignments.{name}` is about no assignment of this "
                    f"course: there are {', '.join(course.assignment_names()) or 'none'}."
                )
        return course

    def with_seed(self, seed: int) -> Course:
        """Return the same course, with hidden inputs drawn from another seed."""
        return replace(self, settings=self.settings.model_copy(update={"seed": seed}))

    @property
    def seed(self) -> int:
        """What the hidden tests' inputs are drawn from; drawn itself if nobody has chosen it."""
        chosen = self.settings.seed
        return seeds.seed_of(self.root) if chosen is None else chosen

    @property
    def exercises(self) -> Path:
        """Hidden tests and known mistakes, a folder an assignment."""
        return self.root / self.settings.exercises

    @property
    def answers(self) -> Path:
        """Right and wrong answers: `<assignment>/<exercise>/{right,wrong}/*.py`."""
        return self.root / self.settings.answers

    @property
    def solutions(self) -> Path:
        """The instructor's percent scripts."""
        return self.root / "solutions"

    @property
    def assignments(self) -> Path:
        """What students receive, one folder an assignment."""
        return self.root / "assignments"

    @property
    def submitted(self) -> Path:
        """What students handed in: `<student_id>/<assignment>/<assignment>.ipynb`."""
        return self.root / "submitted"

    @property
    def reports(self) -> Path:
        """What the grader found: `<assignment>/<student_id>.json`."""
        return self.root / "reports"

    @property
    def feedback(self) -> Path:
        """What students get back, written by nbgrader."""
        return self.root / "feedback"

    @property
    def autograded(self) -> Path:
        """What nbgrader keeps of graded submissions: `<student_id>/<assignment>/`."""
        return self.root / "autograded"

    @property
    def packages(self) -> Path:
        """The autograders that platforms run: `<assignment>-<platform>.zip`."""
        return self.root / "packages"

    @property
    def exports(self) -> Path:
        """What goes back to learning platforms."""
        return self.root / "exports"

    @property
    def work(self) -> Path:
        """What only programs read; it can be deleted at any time."""
        return self.root / ".course"

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
        names = (settings.FILE, seeds.FILE, "roster.csv", "unassigned.csv")
        others = (*made, *(self.root / name for name in names))
        url = self.database
        file = Path(url.removeprefix(_SQLITE).partition("?")[0])
        books = [file.with_name(file.name + end) for end in ("", "-wal", "-shm", "-journal")]
        return [*folders, *others, *(books if url.startswith(_SQLITE) else ())]

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

    def release_path(self, assignment: str) -> Path:
        """The released notebook of `assignment`."""
        return self.assignments / assignment / f"{assignment}.ipynb"

    def submission_path(self, student: str, assignment: str) -> Path:
        """Where the notebook that `student` handed in for `assignment` lies."""
        return self.submitted / student / assignment / f"{assignment}.ipynb"

    def graded_path(self, student: str, assignment: str) -> Path:
        """Where that notebook lies with the verdicts in it, once it is recorded."""
        return self.autograded / student / assignment / f"{assignment}.ipynb"

    def feedback_path(self, student: str, assignment: str) -> Path:
        """Where the page lies that `student` gets back for `assignment`."""
        return self.feedback / student / assignment / f"{assignment}.html"

    def report_path(self, student: str, assignment: str) -> Path:
        """Where the report on that submission is kept."""
        return self.reports / assignment / f"{student}.json"


def _whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise CourseError(f"{SEED} is {text!r}: give a whole number.") from None
