"""Put what a learning platform collected where submissions belong: an archive → `submitted/`.

Of the paths in an archive only two words are kept, a student's name and an assignment's.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from autograder.course import Course
from autograder.intake.archive import notebooks_in
from autograder.intake.notebook import MAX_BYTES

_STUDENT = re.compile(r"[^\W_][\w.@+-]{0,79}")


@dataclass(frozen=True)
class Collected:
    """What became of an archive."""

    placed: tuple[Path, ...]
    passed_over: tuple[str, ...]  # a sentence for each notebook that nobody can be given


def collect(course: Course, archive: Path) -> Collected:
    """Put the notebooks in `archive`, a zip or tar file, where submissions belong.

    They are told by their names: `<student>/<assignment>/<assignment>.ipynb` at any depth,
    `<student>_…/…<assignment>….ipynb`, or `<student>_…<assignment>….ipynb`. What was handed in
    before is replaced. Raises `SubmissionError` if the archive isn't to be trusted; then nothing
    has changed.
    """
    placed: dict[Path, Path] = {}
    passed_over: list[str] = []
    course.submitted.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=course.submitted, prefix=".") as folder:
        for number, (name, stream) in enumerate(notebooks_in(archive)):
            owner = owner_of(name, course.released())
            raw = stream.read(MAX_BYTES + 1)
            if owner is None or len(raw) > MAX_BYTES:
                why = "is too large" if owner else "names no student and assignment"
                passed_over.append(f"{name} {why}.")
                continue
            fresh = Path(folder) / str(number)
            fresh.write_bytes(raw)
            placed[course.submission_path(*owner)] = fresh
        for path, fresh in placed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.replace(path)
    return Collected(tuple(placed), tuple(passed_over))


def owner_of(name: str, assignments: Sequence[str]) -> tuple[str, str] | None:
    """Return the student and the assignment that the path of a notebook names, if it does."""
    *folders, file = PurePosixPath(name.replace("\\", "/")).parts
    named = [assignment for assignment in assignments if assignment in file]
    if len(named) != 1:
        return None
    (assignment,) = named
    if not file.startswith(assignment):
        folders.append(file)
    elif folders and folders[-1] == assignment:
        folders.pop()
    owner = folders[-1].split("_")[0].strip().replace(" ", "-") if folders else ""
    return (owner, assignment) if _STUDENT.fullmatch(owner) else None
