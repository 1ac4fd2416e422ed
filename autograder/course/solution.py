"""What an instructor wrote for an assignment: the percent script, its questions, and its files.

A written question has a model answer and a rubric; the cell of prose before it is the question:

    # %% [markdown] written="why_scale" points=3
    # The model answer.
    # **Rubric**
    # - 1 point: what earns it, on as many lines as it takes.
    # - -1 point: what costs it.

Where the answer is code, the cell is, too; its rubric is the same comment, anywhere in it.

Files, such as data sets, lie in `solutions/<assignment>/`; they are released beside the notebook.
"""

from __future__ import annotations

import hashlib
import re
import sys
from copy import deepcopy
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, count
from pathlib import Path
from typing import TYPE_CHECKING

from autograder.course import Course
from autograder.errors import CourseError

if TYPE_CHECKING:  # nbformat is slow to import
    from nbformat import NotebookNode

MAX_FILES = 100
MAX_BYTES = 20 << 20  # of all files together: each worker keeps a copy
_MARKER_LINE = re.compile(r"^ *### (BEGIN|END) SOLUTION\n?", re.MULTILINE)
_RUBRIC = re.compile(r"^\*{0,2}Rubric\b:?\*{0,2}:?\s*", re.MULTILINE | re.IGNORECASE)
_COMMENTED_RUBRIC = re.compile(r"^# ?\*{0,2}Rubric\b.*(?:\n#.*)*", re.MULTILINE | re.IGNORECASE)
_ITEM = re.compile(r"^[-*]\s+(?=\S)", re.MULTILINE)
_POINTS = re.compile(r"([+−-]?)\s*(\d+(?:\.\d+)?|½|¼|¾)\s*points?\s*:\s*", re.IGNORECASE)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_ROLES = {"setup", "solution", "test", "written"}


def cells(course: Course, assignment: str) -> list[NotebookNode]:
    """Return the script's cells, with the options of their headers as metadata."""
    path = course.solutions / f"{course.check_assignment(assignment)}.py"
    try:
        return deepcopy(_parsed(path.read_text("utf-8")))
    except Exception as error:  # jupytext has no error of its own for what it can't read
        raise CourseError(f"{path.name} can't be read as a percent script: {error}") from error


@lru_cache(maxsize=16)  # a release and a demo read a script several times, a third of a second each
def _parsed(script: str) -> list[NotebookNode]:
    for name in ("sync", "async"):  # parts of jupytext for a server, which it would import as well
        sys.modules.setdefault(f"jupytext.{name}_contentsmanager", None)  # type: ignore[arg-type]
    import jupytext  # here: it takes long to import

    found: list[NotebookNode] = jupytext.reads(script, fmt="py:percent").cells
    return found


def sources(course: Course, assignment: str, *, given: bool = True) -> dict[str, str]:
    """Return the cells that the grader runs, solved, by name, without those that are left out.

    `given` cells are those that students don't write.
    """
    left_out = course.settings.assignment(assignment).left_out
    return {
        name: without_markers(cell.source)
        for cell in cells(course, assignment)
        if (name := (given and cell.metadata.get("setup")) or cell.metadata.get("solution"))
        and name not in left_out
    }


def without_markers(source: str) -> str:
    """Return a cell as it is solved, without the lines that mark what students don't get."""
    return _MARKER_LINE.sub("", source)


@dataclass(frozen=True)
class RubricPoint:
    """What earns points, or costs them if `points` is negative; `text` is markdown."""

    points: float
    text: str


@dataclass(frozen=True)
class Question:
    """A written question; `question`, `model` and `rubric` are markdown."""

    name: str
    max_score: float
    question: str
    model: str
    rubric: str

    @cached_property
    def points(self) -> tuple[RubricPoint, ...]:
        """The points of the rubric, none if it isn't a list. A text that recurs is numbered."""
        points: dict[str, RubricPoint] = {}
        for item in _ITEM.split(self.rubric):
            if found := _POINTS.match(item):
                said = " ".join(item[found.end() :].split())
                texts = chain([said], (f"{said} ({number})" for number in count(2)))
                text = next(each for each in texts if each not in points)
                value = _FRACTIONS.get(found[2]) or float(found[2])
                is_cost = found[1] not in ("", "+")
                points[text] = RubricPoint(-value if is_cost else value, text)
        return tuple(points.values())

    @property
    def fingerprint(self) -> str:
        """A hash of all that answers are graded by; how its lines are broken doesn't matter."""
        # Gradebooks hold it, so how points are told elsewhere has no part in it.
        said = f"{self.max_score:g} {' '.join(self.rubric.split())}"
        return hashlib.sha256(said.encode()).hexdigest()

    def worth(self, earned: tuple[str, ...]) -> float:
        """Return what the points with these texts come to: from 0 to the maximum."""
        total = sum(point.points for point in self.points if point.text in earned)
        return min(max(0.0, total), self.max_score)


def questions(course: Course, assignment: str) -> dict[str, Question]:
    found, before = {}, ""
    for cell in cells(course, assignment):
        if name := cell.metadata.get("written"):
            source = cell.source if cell.cell_type == "markdown" else _as_markdown(cell.source)
            headings = list(_RUBRIC.finditer(source))
            end, begin = headings[-1].span() if headings else (None, len(source))
            model, rubric = source[:end].strip(), source[begin:].strip()
            points = float(cell.metadata.get("points", 0))
            found[name] = Question(name, points, before, model, rubric)
        is_prose = cell.cell_type == "markdown" and not _ROLES & set(cell.metadata)
        before = cell.source if is_prose else ""
    return found


def _as_markdown(code: str) -> str:
    """Return an answer in code as one in prose is written: the code in a block, then its rubric."""
    rubric = "\n".join(_COMMENTED_RUBRIC.findall(code))
    model = _COMMENTED_RUBRIC.sub("", code).strip()
    return f"~~~~python\n{model}\n~~~~\n\n" + re.sub("^# ?", "", rubric, flags=re.MULTILINE)


def source_files(course: Course, assignment: str) -> dict[str, Path]:
    """Return the instructor's files by name; raise `CourseError` for what students can't get."""
    root = course.solutions / assignment
    found: dict[str, Path] = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root)
        is_hidden = any(part.startswith((".", "__pycache__")) for part in name.parts)
        if is_hidden or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink() or not path.is_file() or path.suffix == ".ipynb":
            raise CourseError(
                f"solutions/{assignment}/{name} can't be given to students: replace it with an "
                "ordinary file that isn't a notebook."
            )
        found[name.as_posix()] = path
    size = sum(path.stat().st_size for path in found.values())
    if len(found) > MAX_FILES or size > MAX_BYTES:
        raise CourseError(
            f"solutions/{assignment}/ has {len(found)} files of {size / 2**20:.1f} MB: keep it to "
            f"{MAX_FILES} files of {MAX_BYTES >> 20} MB together, or let students download them."
        )
    return found


def released_files(course: Course, assignment: str) -> dict[str, Path]:
    """Return the same files as students received them, beside the released notebook."""
    folder = course.release_path(assignment).parent
    found = {name: folder / name for name in source_files(course, assignment)}
    for name, path in found.items():
        if not path.is_file():
            raise CourseError(f"{assignment} was released without {name}: run `make release`.")
    return found
