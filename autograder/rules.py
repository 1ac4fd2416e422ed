"""Everything that decides a report besides the submission, in one hash.

When it changes, so may the score, and what is on file counts for nothing.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterator
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import EXERCISES

if TYPE_CHECKING:
    from autograder.grade import Settings

_ENGINE = Path(__file__).parent
_ELSEWHERE = {"exercises", "gradebook"}  # other assignments; what becomes of a report later
_LIBRARIES = ("numpy", "torch", "ipython")  # what students' code and hidden tests compute with


def rules_of(settings: Settings, assignment: str) -> str:
    """Return the hash of the rules by which a submission of `assignment` is graded."""
    digest = hashlib.sha256()
    for part in _parts(settings, assignment):
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()


def _parts(settings: Settings, assignment: str) -> Iterator[bytes]:
    chosen = (settings.isolation, settings.seed, settings.brief, asdict(settings.limits))
    yield repr(chosen).encode()
    yield platform.python_version().encode()
    yield from (f"{name} {_version(name)}".encode() for name in _LIBRARIES)
    yield settings.course.release_path(assignment).read_bytes()
    yield (settings.course.solutions / f"{assignment}.py").read_bytes()
    for path in (*_engine(), *_exercises(assignment)):
        yield str(path.relative_to(_ENGINE)).encode()
        yield path.read_bytes()


def _engine() -> list[Path]:
    files = _ENGINE.rglob("*.py")
    return sorted(f for f in files if f.relative_to(_ENGINE).parts[0] not in _ELSEWHERE)


def _exercises(assignment: str) -> list[Path]:
    """Return the files of `assignment`, and those that all assignments share."""
    return sorted([*EXERCISES.glob("*.py"), *(EXERCISES / assignment).rglob("*.py")])


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:  # an assignment that needs none does without
        return ""
