"""A fingerprint of everything besides the submission that decides a score: a hash of each part.

Every cache is kept under it: stored reports, a worker's graders, the proof of a solution. When a
part changes, scores may change too, and what was kept is out of date.
"""

import hashlib
import platform
from collections.abc import Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from autograder.course import Course
from autograder.course.bugs import files_of_bugs
from autograder.course.loading import files_below, hash_of, hash_of_files
from autograder.course.solution import released_files
from autograder.errors import CourseError
from autograder.grading.settings import Settings

_ENGINE = Path(__file__).resolve().parents[1]
# What produces a report, and so decides scores: rooms, and files of rooms, but for those files in
# them that only hand in, order or keep what is graded.
_SCORING_CODE = (
    *("sandbox", "intake", "testing", "grading", "diagnosis", "report.py"),
    *("course/loading.py", "course/solution.py"),
)
_NOT_SCORING = frozenset(
    (
        *("intake/archive.py", "intake/attachments.py", "intake/times.py"),
        *("grading/alone.py", "grading/progress.py", "grading/run.py"),
        *("grading/submissions.py", "grading/worker.py"),
    )
)
# The libraries that students' code and hidden tests compute with, besides a course's `packages`.
_LIBRARIES = ("numpy", "scipy", "torch", "ipython")

Fingerprint = dict[str, str]


def fingerprint(settings: Settings, assignment: str) -> Fingerprint:
    """Return a hash of each part that decides a score: the level of isolation is none."""
    course, path = settings.course, settings.course.release_path(assignment)
    if not path.is_file():
        raise CourseError(f"{assignment} isn't released yet: run `make release` first.")
    limits = (asdict(settings.limits_on(assignment)), settings.skip_slow)
    return parts_that_decide(course, assignment) | {
        "limits": hash_of([repr(limits).encode()]),
        "release": hash_of_files(path.parent, [path, *released_files(course, assignment).values()]),
    }


def parts_that_decide(course: Course, assignment: str) -> Fingerprint:
    """Return the parts that are there before a release, and whatever the limits are."""
    chosen = course.settings.assignment(assignment)
    folder = course.exercises / assignment
    mistakes = files_below(course.misconceptions_path(assignment))
    tests = (*sorted(course.exercises.glob("*.py")), *files_below(folder, "*.py"))
    bugs = files_of_bugs(course, assignment)
    return {
        "seed": _of_seed(course.settings.id, course.seed),
        "points": hash_of(
            [repr((sorted(chosen.points.items()), sorted(chosen.left_out))).encode()]
        ),
        "hidden tests": hash_of_files(course.exercises, [t for t in tests if t not in mistakes]),
        "known mistakes": hash_of_files(course.exercises, mistakes),
        **({"bugs": hash_of_files(course.exercises, bugs)} if bugs else {}),
        "solution": hash_of_files(course.solutions, [course.solutions / f"{assignment}.py"]),
        "grader": _engine(),
        "libraries": _versions_of(*_LIBRARIES, *course.settings.packages),
    }


def difference(old: Mapping[str, str], new: Mapping[str, str]) -> str:
    """Describe which parts differ, such as "the seed and the limits changed"."""
    changed = [part for part in {**new, **old} if old.get(part) != new.get(part)]
    return f"the {' and the '.join(changed)} changed"


@cache
def _of_seed(course_id: str, seed: int) -> str:
    """Return what tells one seed from another. Reports hold it: students may read some of them.

    It is slow to compute, so that a small seed that somebody chose isn't found by trying.
    """
    salt = course_id.encode()
    return hashlib.scrypt(str(seed).encode(), salt=salt, n=2**14, r=8, p=1, dklen=16).hex()


@cache  # within a process, the engine doesn't change: it has been imported
def _engine() -> str:
    left_out = {_ENGINE / name for name in _NOT_SCORING}
    files = (path for name in _SCORING_CODE for path in files_below(_ENGINE / name))
    scoring = (path for path in files if path.suffix in (".py", ".toml") and path not in left_out)
    return hash_of_files(_ENGINE, scoring)


@cache
def _versions_of(*libraries: str) -> str:
    parts = [platform.python_version()]
    for name in libraries:
        try:
            parts.append(f"{name} {version(name)}")
        except PackageNotFoundError:  # not every course needs every library
            parts.append(f"{name} ")
    return hash_of(part.encode() for part in parts)
