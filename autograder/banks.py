"""Collects the banks of misconceptions: files that are dropped into a folder are found by scanning.

A bank is a module `misconceptions/<exercise>.py` with a REFERENCE and MISCONCEPTIONS, or a package
`misconceptions/<exercise>/`, in which `reference.py` holds REFERENCE and every other module has
MISCONCEPTIONS, taken in order of file name. Beside REFERENCE may stand PREFIX and NOT_MISTAKES, as
`autograder.common_misconceptions` describes.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import ModuleType

from autograder.common_misconceptions import common_variants
from autograder.course import EXERCISES
from autograder.errors import CourseError
from autograder.misconceptions import Bank, Variant


def banks_of(assignment: str) -> dict[str, Bank]:
    """Return the bank of each exercise of `assignment` that has one, by exercise."""
    folder = EXERCISES / assignment / "misconceptions"
    return banks_in(folder, f"autograder.exercises.{assignment}.misconceptions")


def banks_in(folder: Path, package: str) -> dict[str, Bank]:
    """Return the banks in `folder`, which is imported as `package`, by exercise."""
    return {name: _bank(f"{package}.{name}", name) for name in _modules_in([str(folder)])}


def _bank(module_name: str, exercise: str) -> Bank:
    module = importlib.import_module(module_name)
    parts = {exercise: module}
    if hasattr(module, "__path__"):
        names = _modules_in(module.__path__)
        parts = {name: importlib.import_module(f"{module_name}.{name}") for name in names}
        if "reference" not in parts:
            raise CourseError(
                f"The bank of {exercise} has no right answer to make wrong ones from: write "
                "reference.py, with a REFERENCE in it."
            )
        module = parts.pop("reference")
    reference = getattr(module, "REFERENCE", None)
    if not isinstance(reference, str):
        raise CourseError(f"The bank of {exercise} has no REFERENCE: write it in {_file(module)}.")
    own = tuple(variant for part in parts.values() for variant in _variants_in(part, exercise))
    return Bank(exercise, reference, (*own, *_common(module, exercise, reference, own)))


def _modules_in(path: Iterable[str]) -> list[str]:
    return sorted(found.name for found in pkgutil.iter_modules(path))


def _variants_in(module: ModuleType, exercise: str) -> tuple[Variant, ...]:
    found = getattr(module, "MISCONCEPTIONS", None)
    if not isinstance(found, (tuple, list)) or not all(isinstance(v, Variant) for v in found):
        raise CourseError(
            f"{_file(module)} in the bank of {exercise} has no MISCONCEPTIONS: write a tuple of "
            "Variants, or move what the others share to reference.py."
        )
    return tuple(found)


def _common(
    module: ModuleType, exercise: str, reference: str, own: tuple[Variant, ...]
) -> Iterator[Variant]:
    """Yield the common mistakes of which the bank has no words of its own."""
    prefix = getattr(module, "PREFIX", None)
    left_out = getattr(module, "NOT_MISTAKES", ())
    taken = {variant.tag for variant in own}
    for variant in common_variants(exercise, reference, prefix, left_out):
        if variant.tag not in taken:
            yield variant


def _file(module: ModuleType) -> str:
    return Path(module.__file__ or module.__name__).name
