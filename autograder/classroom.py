"""Grade a class: find what was handed in, grade it side by side, keep the reports, record them."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from autograder.course import Course
from autograder.errors import CourseError
from autograder.grade import Settings
from autograder.pool import Graded, Job, grade_all, local_executor


def grade_class(
    settings: Settings, assignments: Sequence[str], *, student: str | None = None, workers: int = 1
) -> list[Graded]:
    """Grade every submission of `assignments` (of `student` alone, if named); keep the reports."""
    jobs = list(find_submissions(settings.course, assignments, student))
    if not jobs:
        where = settings.course.submission_path(student or "<student_id>", "<assignment>")
        raise CourseError(f"Nothing to grade: put notebooks at {where}.")
    with local_executor(min(workers, len(jobs))) as executor:
        results = list(_with_progress(grade_all(jobs, settings, executor), len(jobs)))
    for graded in results:
        if graded.report is not None:
            save(settings.course, graded)
    return results


def record_class(course: Course, results: Iterable[Graded]) -> None:
    """Enter what was graded in nbgrader's gradebook."""
    from autograder.gradebook import record  # here: nbgrader takes seconds to import

    record(course, [graded.report for graded in results if graded.report is not None])


def find_submissions(
    course: Course, assignments: Iterable[str], student: str | None = None
) -> Iterator[Job]:
    """Yield a job for every folder `submitted/<student>/<assignment>`, in order."""
    for assignment in assignments:
        for folder in sorted(course.submitted.glob(f"*/{assignment}")):
            name = folder.parent.name
            if student is None or name == student:
                yield Job(name, assignment, course.submission_path(name, assignment))


def save(course: Course, graded: Graded) -> Path:
    """Keep a report; a run that is cut off leaves the old one or the new one, never half of it."""
    path = course.report_path(graded.job.student, graded.job.assignment)
    path.parent.mkdir(parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.write_text(graded.report.to_json() if graded.report else "", encoding="utf-8")
    fresh.replace(path)
    return path


def _with_progress(results: Iterable[Graded], total: int) -> Iterator[Graded]:
    """Show a bar on a terminal, and a line each elsewhere."""
    if sys.stderr.isatty():
        from rich.progress import track

        yield from track(results, "Grading", total=total)
        return
    for number, graded in enumerate(results, 1):
        print(f"[{number}/{total}] {graded.job.assignment} {graded.job.student}", file=sys.stderr)
        yield graded
