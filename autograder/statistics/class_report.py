"""The class report, a page per assignment for the instructor: what the class understood."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from markupsafe import Markup

from autograder.course import Course
from autograder.intake.submission import Release
from autograder.report import NOT_GRADED, Report
from autograder.statistics import class_standing
from autograder.statistics.class_content import ClassContent, content_of
from autograder.statistics.class_tables import write_tables
from autograder.statistics.items import MIN_ASIDE, MIN_STUDENTS, Item
from autograder.statistics.snippets import Snippets
from autograder.statistics.summaries import load
from autograder.telling.pages.looks import instructors, rendered, style_of


@dataclass(frozen=True)
class Caps:
    """The most that the page shows of each list; the CSV files have all."""

    mistakes: int = 8  # of an exercise
    snippets: int = 4  # of an exercise
    names: int = 20  # in one place
    in_need: int = 20
    students: int = 100
    notes: int = 20
    faults: int = 10
    what: int = 3  # sentences on one student


def write(course: Course, assignment: str) -> Path | None:
    """Write the page on `assignment`, and its tables beside it, from the stored reports.

    Returns the page's path; None if there are no reports.
    """
    reports = load(course, assignment)
    if not reports:
        return None
    content = content_of(course, assignment, reports)
    path = course.reports / f"{assignment}.html"
    path.write_text(_rendered(course, content), encoding="utf-8")
    write_tables(course, content)
    return path


def page(course: Course, assignment: str, reports: Sequence[Report]) -> str:
    """Return the page as HTML; all text is escaped, and its policy forbids scripts."""
    return _rendered(course, content_of(course, assignment, reports))


def _rendered(course: Course, content: ClassContent) -> str:
    return rendered(
        instructors().get_template("class_report.html"),
        style_of("class_report.css"),
        content=content,
        caps=Caps(),
        remark=remark,
        not_graded=NOT_GRADED,
        bins=class_standing.histogram(content.shares),
        min_scores=class_standing.MIN_SCORES,
        middle=class_standing.middle(content.shares),
        help_below=class_standing.HELP_BELOW,
        wholes={item.exercise: item for item in content.items if not item.check},
        snippets=_snippets(course, content),
        min_students=MIN_STUDENTS,
        min_aside=MIN_ASIDE,
    )


def _snippets(course: Course, content: ClassContent) -> dict[tuple[str, str], Markup]:
    """Return an example of each exercise's commonest misconceptions, by exercise and tag."""
    if not course.release_path(content.assignment).is_file():
        return {}
    snippets = Snippets(course, Release.load(course, content.assignment), content.reports)
    common = [each for found in content.mistakes.values() for each in found[: Caps.snippets]]
    return {(each.exercise, each.tag): snippets.of(each) for each in common}


def remark(item: Item) -> str:
    """Say in words what an item's two figures come to; nothing if that is nothing special."""
    if item.discrimination is not None and item.discrimination < 0:
        return "Look at this one: students who do well elsewhere miss it."
    if item.difficulty is not None and item.difficulty >= 0.95:
        return "Nearly everybody has it."
    if item.difficulty is not None and item.difficulty <= 0.2:
        return "Hardly anybody has it."
    if item.discrimination is not None and item.discrimination < 0.2:
        return "Says little about who does well elsewhere."
    return ""
