"""Where everything of a course lies."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.errors import CourseError

EXERCISES = Path(__file__).parent / "exercises"


@dataclass(frozen=True)
class Course:
    """A directory with `solutions/` and `assignments/` in it."""

    root: Path

    @classmethod
    def find(cls, start: Path | None = None) -> Course:
        """Return the course that `start` (default: the working directory) lies in."""
        start = (start or Path.cwd()).resolve()
        for folder in (start, *start.parents, Path(__file__).resolve().parents[1]):
            if (folder / "solutions").is_dir() and (folder / "assignments").is_dir():
                return cls(folder)
        raise CourseError("No course here: run this inside the folder that holds `solutions/`.")

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
            raise CourseError(f"No assignment named {name!r}: choose from {', '.join(known)}.")
        return name

    def release_path(self, assignment: str) -> Path:
        """The released notebook of `assignment`."""
        return self.assignments / assignment / f"{assignment}.ipynb"

    def submission_path(self, student: str, assignment: str) -> Path:
        """Where the notebook that `student` handed in for `assignment` lies."""
        return self.submitted / student / assignment / f"{assignment}.ipynb"

    def report_path(self, student: str, assignment: str) -> Path:
        """Where the report on that submission is kept."""
        return self.reports / assignment / f"{student}.json"


def hidden_tests_of(assignment: str) -> Path:
    """The folder of hidden tests of `assignment`; they live beside the engine, not in a course."""
    return EXERCISES / assignment / "hidden_tests"
