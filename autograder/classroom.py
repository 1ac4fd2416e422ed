"""Grade a class: find what was handed in, grade what is new side by side, keep the reports."""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import closing
from pathlib import Path

from pydantic import ValidationError

from autograder.course import Course
from autograder.errors import CourseError
from autograder.grade import Settings
from autograder.pool import Graded, Job, OpenExecutor, grade_all
from autograder.report import Report
from autograder.rules import rules_of
from autograder.submission import sha256


def grade_class(
    settings: Settings, jobs: Sequence[Job], open_executor: OpenExecutor, *, force: bool = False
) -> Generator[Graded, None, None]:
    """Yield what became of each of `jobs`; each report is on file when it is yielded.

    Those whose report on file still holds come first and are not graded again, unless by `force`:
    a run that was cut off is taken up where it ended.
    """
    new: list[Job] = []
    rules = {name: rules_of(settings, name) for name in {job.assignment for job in jobs}}
    for job in jobs:
        report = None if force else _on_file(settings.course, job, rules[job.assignment])
        if report is None:
            new.append(job)
        else:
            yield Graded(job, report)
    with closing(grade_all(new, settings, open_executor)) as results:
        for graded in _with_progress(results, len(new)):
            if graded.report is not None:
                save(settings.course, graded.report)
            yield graded


def record_class(course: Course, results: Generator[Graded, None, None]) -> list[Graded]:
    """Enter what was graded in nbgrader's gradebook, while the rest is being graded.

    Returns all that became of the class, without what a table of it doesn't show.
    """
    from autograder import gradebook  # here: nbgrader takes seconds to import

    kept: list[Graded] = []

    def reports() -> Iterator[Report]:
        for graded in results:
            kept.append(graded.in_brief())
            if graded.report is not None:
                yield graded.report

    with closing(results):
        gradebook.record(course, reports())
    return kept


def find_submissions(
    course: Course, assignments: Iterable[str], student: str | None = None
) -> list[Job]:
    """Return a job for every folder `submitted/<student>/<assignment>`, in order."""
    jobs = [
        Job(folder.parent.name, name, course.submission_path(folder.parent.name, name))
        for name in assignments
        for folder in sorted(course.submitted.glob(f"*/{name}"))
        if student is None or folder.parent.name == student
    ]
    if not jobs:
        where = course.submission_path(student or "<student_id>", "<assignment>")
        raise CourseError(f"Nothing to grade: put notebooks at {where}.")
    return jobs


def save(course: Course, report: Report) -> Path:
    """Keep a report; a run that is cut off leaves the old one or the new one, never half of it."""
    path = course.report_path(report.student, report.assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(f".{os.getpid()}")
    fresh.write_text(report.to_json(), encoding="utf-8")
    fresh.replace(path)
    return path


def load(course: Course, student: str, assignment: str) -> Report | None:
    """Return the report on file; None if there is none, or half of one."""
    try:
        text = course.report_path(student, assignment).read_text(encoding="utf-8")
        return Report.model_validate_json(text)
    except (OSError, ValidationError):
        return None


def holds(report: Report, path: Path, rules: str) -> bool:
    """Tell whether `report` is about the bytes at `path`, and by these rules."""
    if report.rules != rules or not path.is_file():
        return False
    return report.notebook_sha256 == sha256(path.read_bytes())


def _on_file(course: Course, job: Job, rules: str) -> Report | None:
    """Return the report on file if it is about these very bytes, and by these rules."""
    report = load(course, job.student, job.assignment)
    return report if report is not None and holds(report, job.path, rules) else None


def _with_progress(results: Iterable[Graded], total: int) -> Iterator[Graded]:
    """Show a bar on a terminal, and a line each elsewhere."""
    if sys.stderr.isatty():
        from rich.progress import track

        yield from track(results, "Grading", total=total)
        return
    for number, graded in enumerate(results, 1):
        print(f"[{number}/{total}] {graded.job.assignment} {graded.job.student}", file=sys.stderr)
        yield graded
