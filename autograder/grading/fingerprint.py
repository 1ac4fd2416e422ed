"""Everything that decides a score besides the submission: a short hash of each part.

When a part changes, so may the score, and the reports on file no longer hold.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.course import Course
from autograder.course.loading import code_below
from autograder.errors import CourseError
from autograder.grading.settings import Settings

_ENGINE = Path(__file__).resolve().parents[1]
# The rooms that decide scores: what comes before a report, and nothing that comes after it.
_DECIDING = (
    *("sandbox", "intake", "testing", "grading", "diagnosis", "report.py"),
    *("course/loading.py", "course/solution.py"),
)
_LIBRARIES = ("numpy", "torch", "ipython")  # what students' code and hidden tests compute with

Fingerprint = dict[str, str]


def fingerprint(settings: Settings, assignment: str) -> Fingerprint:
    """Return what decides the score of a submission of `assignment`, part by part.

    The level of isolation is no part: it confines the student's code and decides nothing.
    """
    course, path = settings.course, settings.course.release_path(assignment)
    if not path.is_file():
        raise CourseError(f"{assignment} isn't released yet: run `make release` first.")
    chosen = (asdict(settings.limits_on(assignment)), settings.skip_slow)
    return parts_that_decide(course, assignment) | {
        "limits": _hash([repr(chosen).encode()]),
        "release": _hash([path.read_bytes()]),
    }


def parts_that_decide(course: Course, assignment: str) -> Fingerprint:
    """Return the parts that decide whatever the release is, and how much a submission may take."""
    said = course.settings.assignment(assignment)
    shared = sorted(course.exercises.glob("*.py"))
    tests = (*shared, *code_below(course.exercises / assignment))
    return {
        "seed": str(course.seed),
        "points": _hash([repr((sorted(said.points.items()), sorted(said.left_out))).encode()]),
        "hidden tests": _hash_of_files(course.exercises, tests),
        "solution": _hash([(course.solutions / f"{assignment}.py").read_bytes()]),
        "grader": _engine(),
        "libraries": _libraries(),
    }


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Say in words which parts differ, such as "the seed changed from 7 to 0"."""
    changed = [part for part in new if old.get(part) != new[part]]
    if changed == ["seed"] and "seed" in old:
        return f"the seed changed from {old['seed']} to {new['seed']}"
    return f"the {' and the '.join(changed)} changed"


@cache  # in a process, the engine is what was imported
def _engine() -> str:
    files: list[Path] = []
    for name in _DECIDING:
        path = _ENGINE / name
        files += [path] if path.is_file() else code_below(path)
    return _hash_of_files(_ENGINE, files)


@cache
def _libraries() -> str:
    names = (f"{name} {_version(name)}".encode() for name in _LIBRARIES)
    return _hash([platform.python_version().encode(), *names])


def _hash_of_files(root: Path, files: Iterable[Path]) -> str:
    return _hash(
        part for path in files for part in (str(path.relative_to(root)).encode(), path.read_bytes())
    )


def _hash(parts: Iterable[bytes]) -> str:
    digest = hashlib.sha256()
    for part in parts:
        digest.update(len(part).to_bytes(8) + part)
    return digest.hexdigest()[:16]


def _version(library: str) -> str:
    try:
        return version(library)
    except PackageNotFoundError:  # a course that needs none does without
        return ""
