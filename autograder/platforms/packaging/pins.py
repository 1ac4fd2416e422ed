"""The packages that grading an assignment needs, in the versions that are installed here.

Those are the versions that the hidden tests were tried with; where the environment was made from
`requirements.lock`, they are the lock's.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib.metadata import PackageNotFoundError, distribution, packages_distributions

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from autograder.course import Course
from autograder.platforms.packaging.imports import imported

# What the rooms import that grade one notebook: the other rooms' packages stay at home.
_ENGINE = ("numpy", "pytest", "jupytext", "ipython", "pydantic", "pyseccomp", "landlock")


def pins(course: Course, assignment: str) -> list[str]:
    """Return a line for each package, as `numpy==2.4.6`, in order of name."""
    found: dict[str, str] = {}
    waiting = [Requirement(name) for name in (*_ENGINE, *_imported(course, assignment))]
    seen: set[tuple[str, str]] = set()
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        for extra in ("", *wanted.extras):
            if (name, extra) not in seen:
                seen.add((name, extra))
                waiting += _needed_by(name, extra, found)
    return [f"{name}=={version}" for name, version in sorted(found.items())]


def _needed_by(name: str, extra: str, found: dict[str, str]) -> Iterator[Requirement]:
    """Yield what an installed package requires, and note its version in `found`."""
    try:
        package = distribution(name)
    except PackageNotFoundError:  # of another system, or not needed by what is done here
        return
    # torch's `2.13.0+cpu` and `2.13.0` are the same code: which of them is the index's matter
    found[name] = package.version.partition("+")[0]
    for line in package.requires or ():
        requirement = Requirement(line)
        if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
            yield requirement


def _imported(course: Course, assignment: str) -> list[str]:
    """Return the installed packages that the assignment's own code imports."""
    known = packages_distributions()
    names = imported(course, assignment) - {"autograder"} - sys.stdlib_module_names
    return sorted({package for name in names for package in known.get(name, ())})
