"""This repository's own course, and copies of it to hand in to."""

import shutil
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from autograder.course import Course, solution
from autograder.course.course import SEED, SEED_FILE

ROOT = Path(__file__).parents[1]
KIT = Course.load(ROOT, {SEED: "0"})  # whatever seed somebody who grades in it has
# Every exercise, with its assignment: an exercise without answers on file is found elsewhere.
EXERCISES = [(path.parent.name, path.name) for path in sorted(KIT.answers.glob("*/*/"))]


def copy_of_kit(root: Path) -> Course:
    """Make a course at `root` of the kit's solutions, tests, releases and settings, with seed 0."""
    ignored = shutil.ignore_patterns("__pycache__")
    for folder in (KIT.solutions, KIT.assignments, KIT.exercises):
        shutil.copytree(folder, root / folder.relative_to(ROOT), ignore=ignored)
    for name in ("course.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root)
    (root / SEED_FILE).write_text("0")
    return Course.load(root)


@cache
def solved(course: Course, assignment: str) -> dict[str, str]:
    """Return the solution cells of `assignment` and its given cells, by name."""
    return solution.sources(course, assignment)


def answered(cells: Mapping[str, str], exercise: str, source: str) -> list[str]:
    """Return the solved `cells` up to that of `exercise`, which holds `source` instead.

    An exercise is graded as its own cell left it: later cells have no say.
    """
    names = list(cells)
    return [*(cells[name] for name in names[: names.index(exercise)]), source]
