"""Load the bank of misconceptions of each exercise from the course's folder."""

from __future__ import annotations

import pkgutil

from autograder.course import Course, loading
from autograder.testing.misconceptions import Bank

_FOLDER = "misconceptions"


def banks_of(course: Course, assignment: str) -> dict[str, Bank]:
    """Return the bank of each exercise of `assignment` that has one, by exercise.

    A bank is a module, or a package if it is large.
    """
    package = loading.package_of(course.exercises)
    folder = course.exercises / assignment / _FOLDER
    banks = {}
    for name in sorted(found.name for found in pkgutil.iter_modules([str(folder)])):
        module = loading.load(package, f"{assignment}.{_FOLDER}.{name}")
        banks[name] = Bank(name, module.REFERENCE, tuple(module.MISCONCEPTIONS))
    return banks
