"""In a package, on a platform's own machine: find the notebook that was handed in, and grade it."""

import os
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

from autograder.course import Course
from autograder.errors import SubmissionError, shown
from autograder.grading.alone import grade_alone
from autograder.grading.settings import Settings
from autograder.intake.notebook import read_file
from autograder.report import Report
from autograder.sandbox.host.probe import strongest

ROOT = Path(__file__).resolve().parents[2]  # what a package keeps the engine and the course in
MAX_FILES = 10_000  # that are looked at
MAX_NAMED, MAX_NAME = 5, 80  # notebooks in a sentence, and characters of each


def packaged_course() -> tuple[Course, str]:
    """Return the course that this engine was packaged with, and its one assignment."""
    course = Course.load(ROOT, environment={})
    (assignment,) = course.assignment_names()
    return course, assignment


def grade_folder(course: Course, assignment: str, folder: Path) -> Report:
    """Grade the one notebook in `folder`, at the strongest isolation, if there is just one."""
    found = [
        path
        for path in islice(_files(folder), MAX_FILES)
        if path.suffix.lower() == ".ipynb" and path.is_file() and not path.is_symlink()
    ]
    if not found:
        raise SubmissionError(
            f"There is no notebook in what you handed in: hand in {assignment}.ipynb."
        )
    if len(found) > 1:
        names = sorted(shown(str(path.relative_to(folder))[:MAX_NAME]) for path in found)
        raise SubmissionError(
            f"There are {len(found)} notebooks in what you handed in "
            f"({', '.join(names[:MAX_NAMED])}): hand in {assignment}.ipynb alone."
        )
    raw = read_file(found[0], below=folder)
    return grade_alone(raw, Settings(course, strongest()), assignment)


def _files(folder: Path) -> Iterator[Path]:
    for place, folders, names in os.walk(folder):
        folders[:] = sorted(name for name in folders if name[0] not in "._")
        yield from (Path(place, name) for name in sorted(names) if name[0] != ".")
