"""The written questions of an assignment, with model answers and rubrics, as `solutions/` has them.

    # %% [markdown] written="why_scale" points=3
    # The model answer.
    #
    # **Rubric**
    #
    # - 1 point: what earns it, on as many lines as it takes.
    # - -1 point: what costs it.

What stands in the cell of prose before it is the question.
"""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass

from autograder.course import Course, solution

_RUBRIC = re.compile(r"^\*{0,2}Rubric\b:?\*{0,2}:?\s*", re.MULTILINE | re.IGNORECASE)
_ITEM = re.compile(r"^[-*]\s+(?=\S)", re.MULTILINE)
_POINTS = re.compile(r"([+−-]?)\s*(\d+(?:\.\d+)?|½|¼|¾)\s*points?\s*:\s*", re.IGNORECASE)
_FRACTIONS = {"½": 0.5, "¼": 0.25, "¾": 0.75}
_ROLES = {"setup", "solution", "test", "written"}


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

    @property
    def points(self) -> tuple[RubricPoint, ...]:
        """The points of the rubric; none if it isn't a list of them."""
        return tuple(
            RubricPoint(_number(found), " ".join(item[found.end() :].split()))
            for item in _ITEM.split(self.rubric)
            if (found := _POINTS.match(item))
        )

    @property
    def fingerprint(self) -> str:
        """A hash of all that answers are graded by; how its lines are broken doesn't matter."""
        said = f"{self.max_score:g} {' '.join(self.rubric.split())}"
        return hashlib.sha256(said.encode()).hexdigest()

    def worth(self, earned: tuple[str, ...]) -> float:
        """Return what the points with these texts come to: from 0 to the maximum."""
        total = sum(point.points for point in self.points if point.text in earned)
        return min(max(0.0, total), self.max_score)


def questions(course: Course, assignment: str) -> dict[str, Question]:
    """Return the written questions of `assignment` by name, in order.

    Raises `CourseError` if its script can't be read.
    """
    found, before = {}, ""
    for cell in solution.cells(course, assignment):
        if name := cell.metadata.get("written"):
            model, rubric = _parted(cell.source)
            points = float(cell.metadata.get("points", 0))
            found[name] = Question(name, points, before, model, rubric)
        is_prose = cell.cell_type == "markdown" and not _ROLES & set(cell.metadata)
        before = cell.source if is_prose else ""
    return found


def _parted(source: str) -> tuple[str, str]:
    """Return the model answer and the rubric, without its heading."""
    headings = list(_RUBRIC.finditer(source))
    if not headings:
        return source.strip(), ""
    last = headings[-1]
    return source[: last.start()].strip(), source[last.end() :].strip()


def _number(found: re.Match[str]) -> float:
    value = _FRACTIONS.get(found[2]) or float(found[2])
    return -value if found[1] in ("-", "−") and found[1] else value
