"""The class report, a page per assignment for the instructor: what the class misunderstood."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean

from jinja2 import Environment, FileSystemLoader, StrictUndefined

from autograder.classroom.faults import faults_in
from autograder.classroom.statistics import failed_checks, load, misconceptions, summaries
from autograder.course import Course
from autograder.gradebook import read_marks
from autograder.gradebook.marks import Marks
from autograder.report import NOT_GRADED, Report

_TEMPLATES = Path(__file__).parent / "templates"


def write(course: Course, assignment: str) -> Path | None:
    """Write the page on `assignment` from the stored reports; return None if there are none."""
    reports = load(course, assignment)
    if not reports:
        return None
    path = course.reports / f"{assignment}.html"
    path.write_text(page(course, assignment, reports), encoding="utf-8")
    return path


def page(course: Course, assignment: str, reports: Sequence[Report]) -> str:
    """Return the page as HTML; all text is escaped, and its policy forbids scripts."""
    marks = {each.student: each for each in read_marks(course, [assignment])}
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES), autoescape=True, undefined=StrictUndefined
    )
    style = (_TEMPLATES / "class_report.css").read_text("utf-8")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return environment.get_template("class_report.html").render(
        assignment=assignment,
        style=style,
        style_hash=digest,
        reports=reports,
        marks=marks,
        faults=faults_in(reports),
        written=_written(reports),
        waiting=_waiting(reports, marks),
        not_graded=NOT_GRADED,
        mean=mean(report.score for report in reports),
        max_score=max(report.max_score for report in reports),
        levels=sorted({report.isolation for report in reports}),
        exercises=summaries(reports),
        misconceptions=misconceptions(course, assignment, reports),
        checks=failed_checks(reports),
    )


def _written(reports: Sequence[Report]) -> list[str]:
    """Return the names of the written answers, in the order of the notebook."""
    return list(dict.fromkeys(answer.name for report in reports for answer in report.manual))


def _waiting(reports: Sequence[Report], marks: Mapping[str, Marks]) -> int:
    """Return how many students have an exercise or an answer that isn't graded yet."""
    return sum(
        not report.is_graded or bool(each.not_graded if each else report.manual)
        for report, each in ((report, marks.get(report.student)) for report in reports)
    )
