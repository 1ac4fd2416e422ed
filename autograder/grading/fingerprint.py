"""A fingerprint of everything besides the submission that decides a score: a hash of each part.

When a part changes, scores may change too, and the cached reports are out of date.
"""

from __future__ import annotations

import hashlib
import platform
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.course import Course
from autograder.course.loading import code_below
from autograder.course.solution import released_files
from autograder.errors import CourseError
from autograder.grading.settings import Settings

_ENGINE = Path(__file__).resolve().parents[1]
# The packages that decide scores: those that produce a report, not those that use it.
_SCORING_CODE = (
    *("sandbox", "intake", "testing", "grading", "diagnosis", "report.py"),
    *("course/loading.py", "course/solution.py"),
)
# The libraries that students' code and hidden tests compute with.
_LIBRARIES = ("numpy", "scipy", "torch", "ipython")

Fingerprint = dict[str, str]


def fingerprint(settings: Settings, assignment: str) -> Fingerprint:
    """Return a hash of each part that decides the score of a submission of `assignment`.

    The level of isolation is not among them: it confines the student's code and has no effect on
    the score.
    """
    course, path = settings.course, settings.course.release_path(assignment)
    if not path.is_file():
        raise CourseError(f"{assignment} isn't released yet: run `make release` first.")
    limits = (asdict(settings.limits_on(assignment)), settings.skip_slow)
    return parts_that_decide(course, assignment) | {
        "limits": _hash([repr(limits).encode()]),
        "release": _hash([path.read_bytes(), *_files(course, assignment)]),
    }


def _files(course: Course, assignment: str) -> Iterator[bytes]:
    """Yield the names and contents of the files that students were given with the notebook."""
    for name, path in released_files(course, assignment).items():
        yield name.encode()
        yield path.read_bytes()


def parts_that_decide(course: Course, assignment: str) -> Fingerprint:
    """Return the parts that don't depend on the release or on the limits."""
    chosen = course.settings.assignment(assignment)
    shared = sorted(course.exercises.glob("*.py"))
    tests = (*shared, *code_below(course.exercises / assignment))
    return {
        "seed": str(course.seed),
        "points": _hash([repr((sorted(chosen.points.items()), sorted(chosen.left_out))).encode()]),
        "hidden tests": _hash_of_files(course.exercises, tests),
        "solution": _hash([(course.solutions / f"{assignment}.py").read_bytes()]),
        "grader": _engine(),
        "libraries": _libraries(),
    }


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Describe which parts differ, such as "the seed changed from 7 to 0"."""
    changed = [part for part in new if old.get(part) != new[part]]
    if changed == ["seed"] and "seed" in old:
        return f"the seed changed from {old['seed']} to {new['seed']}"
    return f"the {' and the '.join(changed)} changed"


@cache  # within a process, the engine doesn't change: it has been imported
def _engine() -> str:
    files: list[Path] = []
    for name in _SCORING_CODE:
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
    except PackageNotFoundError:  # not every course needs every library
        return ""
