"""Collect the banks of misconceptions, and of these the bugs that students are given to find.

A bank is a module `misconceptions/<exercise>.py` with a REFERENCE and MISCONCEPTIONS, or a package
`misconceptions/<exercise>/`, in which `reference.py` holds REFERENCE and every other module has
MISCONCEPTIONS, taken in order of file name. Beside REFERENCE may stand PREFIX and NOT_MISTAKES, as
`autograder.testing.misconceptions` describes, and STYLES: by name, edits that leave it right.
Beside MISCONCEPTIONS may stand EXAMPLES of their idea, from the one that isolates it most.

A file `misconceptions/ideas.toml` may say, in a table for each exercise, which idea a slip belongs
to: `tag = 2` is the second. Where results show that nothing else is wrong, it costs that one alone.
"""

import pkgutil
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import ModuleType

from autograder.course import Course, bugs, loading
from autograder.errors import CourseError
from autograder.testing.bugs import Bugs
from autograder.testing.misconceptions import Bank, Variant, common_variants

IDEAS = "ideas.toml"


def banks_of(course: Course, assignment: str) -> dict[str, Bank]:
    """Return the bank of each exercise of `assignment` that has one, by exercise."""
    package, folder = loading.package_of(course.exercises), course.misconceptions_path(assignment)
    found = pkgutil.iter_modules([str(folder)])
    names = sorted(each.name for each in found)
    table = folder / IDEAS
    ideas = loading.read_toml(table) if table.is_file() else {}
    if odd := [name for name, slips in ideas.items() if not isinstance(slips, dict)]:
        raise CourseError(
            f"{table}: {odd[0]} is no table: write `[exercise]`, and below it `tag = 1`."
        )
    if unknown := ideas.keys() - set(names):
        raise CourseError(f"{table}: there is no bank of {min(unknown)}: correct its name.")
    return {
        name: _bank(package, f"{assignment}.{folder.name}.{name}", name, ideas.get(name, {}))
        for name in names
    }


def _bank(package: str, module_name: str, exercise: str, ideas: Mapping[str, int]) -> Bank:
    module = loading.load_module(package, module_name)
    parts = {exercise: module}
    if hasattr(module, "__path__"):
        names = sorted(found.name for found in pkgutil.iter_modules(module.__path__))
        parts = {name: loading.load_module(package, f"{module_name}.{name}") for name in names}
        if "reference" not in parts:
            raise CourseError(
                f"The bank of {exercise} has no right answer to make wrong ones from: write "
                "reference.py, with a REFERENCE in it."
            )
        module = parts.pop("reference")
    reference = getattr(module, "REFERENCE", None)
    if not isinstance(reference, str):
        raise CourseError(f"The bank of {exercise} has no REFERENCE: write it in {_file(module)}.")
    prefix, left_out = getattr(module, "PREFIX", None), getattr(module, "NOT_MISTAKES", ())
    own = [(v, part) for part in parts.values() for v in _variants_in(part, exercise)]
    numbers = Counter(variant.tag for variant, _ in own)
    if doubled := [tag for tag, number in numbers.items() if number > 1]:
        raise CourseError(
            f"Two mistakes in the bank of {exercise} have the tag {doubled[0]!r}, and one would "
            "replace the other: give each a tag of its own."
        )
    tags = set(numbers)  # for which the bank has words of its own
    common = common_variants(exercise, reference, prefix, left_out)
    variants = (*(v for v, _ in own), *(each for each in common if each.tag not in tags))
    if unknown := ideas.keys() - {each.tag for each in variants}:
        raise CourseError(
            f"{IDEAS}: {exercise} has no misconception {min(unknown)}: correct its tag."
        )
    if odd := [tag for tag, idea in ideas.items() if type(idea) is not int or idea < 1]:
        raise CourseError(f"{IDEAS}: {odd[0]} needs the number of an idea: 1 is the first.")
    styles = getattr(module, "STYLES", {}).items()
    return Bank(
        exercise,
        reference,
        variants,
        styles=tuple(Variant(f"style-{name}", "", "", edits) for name, edits in styles),
        ideas=ideas,
        examples={v.tag: tuple(getattr(part, "EXAMPLES", ())) for v, part in own},
    )


def _variants_in(module: ModuleType, exercise: str) -> Sequence[Variant]:
    found = getattr(module, "MISCONCEPTIONS", None)
    if not isinstance(found, (tuple, list)) or not all(isinstance(v, Variant) for v in found):
        raise CourseError(
            f"{_file(module)} in the bank of {exercise} has no MISCONCEPTIONS: write a tuple of "
            "Variants, `(Variant(…),)` for a single one, or move what others share to reference.py."
        )
    return found


def _file(module: ModuleType) -> str:
    return Path(module.__file__ or module.__name__).name


def bugs_of(course: Course, assignment: str) -> dict[str, Bugs]:
    """Return the bugs of each exercise of `assignment` that asks for some, by exercise.

    Raises `CourseError` for a table of `bugs.toml` that names no bank, or a tag that isn't in it.
    """
    path, found = course.exercises / assignment / bugs.FILE, {}
    for name, table in bugs.tables_in(path).items():
        bank = banks_of(course, table["assignment"]).get(table["exercise"])
        if bank is None:
            source = f"{table['assignment']}/{table['exercise']}"
            raise CourseError(
                f"{path}: {name} takes its bugs from {source}, which has no bank: "
                "write one, or name another exercise."
            )
        made = bank.sources()
        if unknown := [tag for tag in table["tags"] if tag not in made]:
            raise CourseError(
                f"{path}: {bank.exercise} has no misconception {unknown[0]!r}: correct the tag."
            )
        found[name] = Bugs(name, bank.reference, tuple(made[tag] for tag in table["tags"]))
    return found
