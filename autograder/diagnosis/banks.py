"""What is known about each exercise of an assignment, found by looking into the course's folder."""

from __future__ import annotations

import pkgutil
from types import ModuleType

from autograder.course import Course, loading
from autograder.errors import CourseError
from autograder.testing.misconceptions import Bank, Variant

FOLDER = "misconceptions"


def banks_of(course: Course, assignment: str) -> dict[str, Bank]:
    """Return the bank of each exercise of `assignment` that has one, by exercise.

    A bank is a module; a large one, a package of modules.
    """
    package = loading.package_of(course.exercises)
    folder = course.exercises / assignment / FOLDER
    banks = {}
    for name in sorted(found.name for found in pkgutil.iter_modules([str(folder)])):
        module = loading.load(package, f"{assignment}.{FOLDER}.{name}")
        banks[name] = _bank(name, module)
    return banks


def _bank(name: str, module: ModuleType) -> Bank:
    reference = getattr(module, "REFERENCE", None)
    variants = getattr(module, "MISCONCEPTIONS", None)
    if (
        not isinstance(reference, str)
        or not isinstance(variants, (tuple, list))
        or not all(isinstance(each, Variant) for each in variants)
    ):
        raise CourseError(
            f"{module.__file__} needs REFERENCE, the text of a right answer, and MISCONCEPTIONS, a "
            "tuple of Variants: of a single one, too, as in `(Variant(…),)`."
        )
    return Bank(name, reference, tuple(variants))
