"""Collect submissions: an archive downloaded from a learning platform → `submitted/`.

The only parts of an archive's paths that are used are a student's id and an assignment's name.
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
    """The result of collecting an archive."""

    placed: tuple[Path, ...]
    passed_over: tuple[str, ...]  # a sentence for each notebook that was skipped


def collect(course: Course, archive: Path) -> Collected:
    """Copy the notebooks in `archive`, a zip or tar file, to the course's `submitted/`.

    Their paths identify them: `<student>/<assignment>/<assignment>.ipynb` at any depth,
    `<student>_…/…<assignment>….ipynb`, or `<student>_…<assignment>….ipynb`. Earlier submissions
    are replaced. Raises `SubmissionError`, and changes nothing, if the archive can't be read or is
    suspiciously large.
    """
    placed: dict[Path, Path] = {}
    passed_over: list[str] = []
    course.submitted.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=course.submitted, prefix=".") as folder:
        for number, (name, stream) in enumerate(notebooks_in(archive)):
            owner = owner_of(name, course.released())
            raw = stream.read(MAX_BYTES + 1)
            if owner is None or len(raw) > MAX_BYTES:
                reason = "is too large" if owner else "names no student and assignment"
                passed_over.append(f"{name} {reason}.")
                continue
            fresh = Path(folder) / str(number)
            fresh.write_bytes(raw)
            placed[course.submission_path(*owner)] = fresh
        for path, fresh in placed.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            fresh.replace(path)
    return Collected(tuple(placed), tuple(passed_over))


def owner_of(name: str, assignments: Sequence[str]) -> tuple[str, str] | None:
    """Return the student and the assignment that the path of a notebook names; else None."""
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
