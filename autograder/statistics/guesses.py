"""What a class guessed before it ran an experiment: nobody's name, and nothing of it is graded.

A notebook asks for a guess by a line `guess_of_something = None  # what to write`.
"""

import ast
import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import Path
from statistics import median

from autograder.course import Course
from autograder.course.saving import save_whole
from autograder.errors import CourseError, SubmissionError, shown
from autograder.grading.submissions import find_submissions
from autograder.intake.code import tree_of
from autograder.intake.notebook import read_notebook
from autograder.intake.release import Release
from autograder.report import printable
from autograder.telling.pages.looks import rendered
from autograder.telling.pages.press import PRESS
from autograder.work.bounded import Unfinished

PREFIX = "guess_"
SKIPPED = "skip"  # in place of a guess, to see only what comes out
MAX_LENGTH = 40  # characters of a guess that are shown
MAX_VALUES = 12  # different ones that are shown one by one; more numbers are put into ranges
RANGES = 8


@dataclass(frozen=True)
class Guesses:
    """What a class guessed: how many wrote each value, or a value in each range of numbers."""

    asked: str  # `guess_of_the_share` is asked for as "the share"
    hint: str  # what the notebook says that one may write
    counts: tuple[tuple[str, int], ...]
    middle: str = ""  # the median, if all are numbers

    @property
    def number(self) -> int:
        return sum(count for _, count in self.counts)

    @property
    def most(self) -> int:
        return max((count for _, count in self.counts), default=1)


def guesses_in(sources: Sequence[str]) -> dict[str, object]:
    """Return the values that code cells give to guesses: numbers, or the text of anything else."""
    found: dict[str, object] = {}
    for source in sources:
        for node in tree_of(source).body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    if name.startswith(PREFIX):
                        found[name] = _value(value)
    return found


def _value(node: ast.expr) -> object:
    try:
        value = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return printable(ast.unparse(node))[:MAX_LENGTH]
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        # beyond this, an integer can't be a float, nor can its digits be written
        return float(value) if abs(value) < 1e300 else math.inf
    return None if value in (None, SKIPPED) else printable(str(value))[:MAX_LENGTH].strip()


def counted(asked: str, hint: str, values: Sequence[object]) -> Guesses:
    """Count guesses: each value, or, of many different numbers, ranges of them."""
    numbers = [value for value in values if isinstance(value, float) and math.isfinite(value)]
    if len(numbers) < len(values) or not numbers:
        words = Counter(_short(v) if isinstance(v, float) else str(v) for v in values)
        common = words.most_common(MAX_VALUES)
        if rest := len(values) - sum(count for _, count in common):
            common.append(("others", rest))
        return Guesses(asked, hint, tuple(common))
    middle = _short(median(numbers))
    if len(set(numbers)) <= MAX_VALUES:
        counts = sorted(Counter(numbers).items())
        return Guesses(asked, hint, tuple((_short(n), count) for n, count in counts), middle)
    # few are far away from the others: the ranges have as many guesses each, as well as can be
    ordered = sorted(numbers)
    places = [round(part * (len(ordered) - 1) / RANGES) for part in range(RANGES + 1)]
    edges = sorted({ordered[place] for place in places})
    ranges = []
    for low, high in pairwise(edges):
        inside = sum(low <= n < high or n == high == edges[-1] for n in numbers)
        ranges.append((f"{_short(low)} to {_short(high)}", inside))
    return Guesses(asked, hint, tuple(ranges), middle)


def _short(number: float) -> str:
    return f"{number:,.0f}" if 1000 <= abs(number) < 1e9 else f"{number:.3g}"


def of_class(
    course: Course, assignment: str, tell: Callable[[str], None]
) -> tuple[list[Guesses], int]:
    """Return what was guessed, in the order of the notebook, and the number of notebooks read.

    Raises `CourseError` if the release asks for no guess. `tell` receives a sentence about a
    notebook that can't be read.
    """
    release = Release.load(course, assignment)
    hints = _hints([cell.source for cell in release.cells if cell.cell_type == "code"])
    if not hints:
        raise CourseError(
            f"{assignment} asks for no guesses: a line such as `{PREFIX}of_the_share = None` does."
        )
    written: dict[str, list[object]] = {name: [] for name in hints}
    readable = 0
    for job in find_submissions(course, [assignment], tell=tell):
        try:
            found = PRESS.run(partial(_guessed, job.read()))
        except SubmissionError as error:
            found = str(error)
        except Unfinished as error:
            found = f"{error}."
        if isinstance(found, str):  # why there are none
            tell(f"The guesses of {shown(job.student)} can't be read: {found}")
            continue
        readable += 1
        for name, value in found.items():
            if name in written and value is not None:
                written[name].append(value)
    return [
        counted(name.removeprefix(PREFIX).removeprefix("of_").replace("_", " "), hints[name], each)
        for name, each in written.items()
    ], readable


def _hints(sources: Sequence[str]) -> dict[str, str]:
    """Return the guesses that a release asks for, with the comments behind them."""
    lines = (line for source in sources for line in source.splitlines())
    asked = (line.partition(" = None") for line in lines if line.startswith(PREFIX))
    return {
        name: rest.strip().removeprefix("#").strip() for name, is_open, rest in asked if is_open
    }


def _guessed(raw: bytes) -> dict[str, object] | str:
    """Run in a process that can be killed: return a notebook's guesses, or why there are none."""
    try:
        cells = read_notebook(raw).cells
    except SubmissionError as error:
        return str(error)
    return guesses_in([cell.source for cell in cells if cell.cell_type == "code"])


def write_guesses_page(
    course: Course, assignment: str, tell: Callable[[str], None]
) -> tuple[Path, int]:
    """Write a page to show to the class; return it, and the number of notebooks that it is of."""
    found, number = of_class(course, assignment, tell)
    page = rendered(
        "guesses.html", "guesses.css", assignment=assignment, found=found, number=number
    )
    path = course.reports / f"{assignment}-guesses.html"
    save_whole(page.encode(), path)
    return path, number
