"""Read the answers of a class, and of references that the instructor supplies.

Each notebook is read in a process with bounds; what comes back are texts and tokens.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from autograder.course import Course
from autograder.errors import CourseError, SubmissionError, shown
from autograder.grading.submissions import find_submissions
from autograder.intake.notebook import CellRole, read_file, read_notebook
from autograder.intake.submission import Release, normalise
from autograder.statistics.similar.passages import Passages, imported, tokens_of
from autograder.work import bounded
from autograder.work.bounded import Bounds, Unfinished
from autograder.work.processes import call_beside

BOUNDS = Bounds(seconds=20, cpu_seconds=6, memory_mb=1024, max_bytes=32 << 20)
MAX_CODE = 20_000  # characters of an answer that are compared


@dataclass(frozen=True)
class Answer:
    """An answer to an exercise: its code, and the passages in it that are its author's own."""

    code: str
    passages: Passages


@dataclass(frozen=True, eq=False)
class Work:
    """What somebody wrote, by exercise; `name` is a student id, or that of a reference."""

    name: str
    answers: Mapping[str, Answer]


@dataclass(frozen=True)
class Reader:
    """Reads answers to an assignment; what its release gives to everybody is nobody's own."""

    release: Release
    known: frozenset[str]
    given: Mapping[str, Passages]  # by exercise

    @classmethod
    def of(cls, release: Release) -> Reader:
        """Return what reads answers in copies of `release`."""
        setup = [cell.source for cell in release.cells if cell.role is CellRole.SETUP]
        known = frozenset(imported(setup))
        given = {
            name: Passages.of(tokens_of(cell.source, known))
            for name, cell in release.exercises.items()
        }
        return cls(release, known, given)

    def read(self, name: str, raw: bytes, exercise: str = "") -> Work:
        """Return what a notebook holds, or a file of code that answers one `exercise`.

        Raises `SubmissionError` if that can't be told.
        """
        work = partial(_told, raw, self.release, self.known, exercise)
        try:
            told = json.loads(call_beside(bounded.call, work, BOUNDS))
        except (Unfinished, BrokenExecutor) as error:
            raise SubmissionError(f"{shown(name)} can't be compared: {error}.") from None
        if isinstance(told, str):
            raise SubmissionError(f"{shown(name)} can't be compared: {told}")
        answers = {
            each: Answer(code, Passages.of(tokens, self.given[each].lines))
            for each, (code, tokens) in told.items()
        }
        return Work(name, answers)


def _told(raw: bytes, release: Release, known: Collection[str], exercise: str) -> bytes:
    """Run in a process that can be killed: return codes and tokens by exercise, or why not."""
    try:
        if exercise:
            answers = {exercise: raw.decode(errors="replace")}
        else:
            answers = normalise(read_notebook(raw), release).answers
    except SubmissionError as error:
        return json.dumps(str(error)).encode()
    cut = {name: code[:MAX_CODE] for name, code in answers.items()}
    return json.dumps({name: (code, tokens_of(code, known)) for name, code in cut.items()}).encode()


def submitted(course: Course, reader: Reader, tell: Callable[[str], None]) -> list[Work]:
    """Return what students handed in; `tell` receives a sentence about what can't be compared."""
    found = []
    for job in find_submissions(course, [reader.release.assignment], tell=tell):
        try:
            found.append(reader.read(job.student, job.read()))
        except SubmissionError as error:
            tell(str(error))
    return found


def references(folder: Path, reader: Reader) -> list[Work]:
    """Return the references in a folder: notebooks, and files `<exercise>/<name>.py`.

    Raises `CourseError` if there are none, or if one can't be read.
    """
    exercises = reader.release.exercises
    files = [(path, "") for path in sorted(folder.glob("*.ipynb"))]
    files += [(p, name) for name in exercises for p in sorted((folder / name).glob("*.py"))]
    if not files:
        raise CourseError(
            f"{folder} holds no references: put notebooks of {reader.release.assignment} there, or "
            f"files such as {next(iter(exercises), 'exercise')}/from_the_web.py."
        )
    try:
        return [
            reader.read(str(path.relative_to(folder)), read_file(path), exercise)
            for path, exercise in files
        ]
    except (OSError, SubmissionError) as error:
        raise CourseError(f"{folder} can't be compared with: {error}") from None
