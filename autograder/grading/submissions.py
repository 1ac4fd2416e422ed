"""What was handed in, `submitted/<student_id>/<assignment>/`, and the stored reports on it.

A folder whose name can't be a student id is left out and told; everybody else's work goes on. So
are folders of one id in several spellings: nobody can say which of them is the student's.
"""

import os
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Self

from autograder.course import Course
from autograder.course.loading import is_installed
from autograder.course.roster import checked_id, folded, problem_with
from autograder.course.saving import refuse_links, refuse_newer, save_whole
from autograder.errors import CourseError, SubmissionError, first_of, shown
from autograder.grading.fingerprint import Fingerprint, difference
from autograder.intake.notebook import read_submitted
from autograder.intake.submission import sha256
from autograder.report import SCHEMA, Report
from autograder.sandbox.limits import Isolation

MAX_NAMED = 5  # of files that may be meant


@dataclass(frozen=True)
class Job:
    student: str
    assignment: str
    path: Path
    progress: Path | None = None  # where to note each exercise that has been examined
    is_early: bool = False  # before the due date

    def read(self) -> bytes:
        """Return the bytes of the notebook; raise `SubmissionError` if it can't be read."""
        try:
            return read_submitted(self.path)
        except OSError as error:
            beside = self.path.parent.glob("*.ipynb")
            names = sorted(other.name for other in beside if other != self.path)
            others, name = ", ".join(map(shown, names[:MAX_NAMED])), self.path.name
            if others and isinstance(error, FileNotFoundError):
                raise SubmissionError(f"{name} can't be read: rename {others}.") from None
            raise SubmissionError(
                f"{name} can't be read ({error.strerror}): put it there, readable, and grade again."
            ) from None


NOBODYS = Job("", "", Path())  # of a notebook that is graded alone


@dataclass(frozen=True)
class Graded:
    """The result of a job: a report, or the reason why there is none."""

    job: Job
    report: Report | None = None
    rejection: str = ""  # the file is not a submission: its author has to hand in another
    fault: str = ""  # the grader failed: the next run tries again

    def summary(self) -> Self:
        """Return a copy with what the class table shows: classes are large."""
        if self.report is None:
            return self
        exercises = tuple(
            each.model_copy(update={"tests": each.faults}) for each in self.report.exercises
        )
        update = {"exercises": exercises, "cells": (), "fingerprint": {}}
        return replace(self, report=self.report.model_copy(update=update))


def find_submissions(
    course: Course,
    assignments: Iterable[str],
    student: str | None = None,
    tell: Callable[[str], None] = lambda sentence: None,
) -> list[Job]:
    """Return a job for every folder `submitted/<student_id>/<assignment>`, in order.

    `tell` receives a sentence about what is left out.
    """
    names = list(assignments)
    if student is not None:
        checked_id(student)
    # With all spellings of a student's id, so that `left_out` sees that there are several.
    folders = [
        folder
        for folder in folders_of(course, names)
        if student is None or folded(folder.name) == folded(student)
    ]
    without = left_out(folders)
    jobs = [
        job_of(course, folder.name, name)
        for name in names
        for folder in folders
        if folder not in without
        and os.path.lexists(folder / name)
        and student in (None, folder.name)
    ]
    for sentence in dict.fromkeys(without.values()):
        tell(sentence)
    if not jobs and not without:
        name = names[0] if len(names) == 1 else "<assignment>"
        where = course.submission_path(student or "<student_id>", name)
        raise CourseError(f"Nothing was handed in: put notebooks at {where}.")
    return jobs


def misplaced(course: Course) -> list[str]:
    """Return a sentence if notebooks lie in `submitted/` where no submission is looked for."""
    places = [(name,) for name in course.assignment_names()]  # in a student's folder
    found = (
        path.relative_to(course.submitted)
        for depth in ("*", "*/*", "*/*/*")
        for path in course.submitted.glob(f"{depth}.ipynb")
    )
    odd = sorted(
        shown(path.as_posix())
        for path in found
        if path.parts[1:-1] not in places and not any(part.startswith(".") for part in path.parts)
    )
    if not odd:
        return []
    return [
        f"In {course.submitted.name}/, nobody's submission is looked for where these lie: "
        f"{first_of(odd, MAX_NAMED)}. Put each at <student_id>/<assignment>/<assignment>.ipynb."
    ]


def job_of(course: Course, student: str, assignment: str) -> Job:
    """Return the job to grade what a student handed in, as of now."""
    path = course.submission_path(student, assignment)
    is_early = course.settings.is_early(assignment, student)
    return Job(student, assignment, path, is_early=is_early)


def folders_of(course: Course, assignments: Iterable[str]) -> list[Path]:
    """Return the folders that hold work on one of the assignments, and links, in order of name."""
    found = course.submitted.iterdir() if course.submitted.is_dir() else ()
    names = list(assignments)
    held = (
        each
        for each in found
        if each.is_symlink() or any(os.path.lexists(each / name) for name in names)
    )
    return sorted(held, key=lambda folder: folder.name)


def students_of(course: Course, assignment: str) -> list[str]:
    folders = (folder for folder in folders_of(course, [assignment]) if not folder.is_symlink())
    return [folder.name for folder in folders if not problem_with(folder.name)]


def left_out(folders: Iterable[Path]) -> dict[Path, str]:
    """Return the folders that aren't each one student's, with a sentence that says why."""
    found: dict[Path, str] = {}
    by_id: dict[str, list[Path]] = defaultdict(list)
    for folder in folders:
        why = "it is a link: put the folder itself there" if folder.is_symlink() else ""
        if problem := problem_with(folder.name):
            why = f"its name can't be a student id: {problem}. Rename or remove it"
        if why:
            found[folder] = f"{_where(folder)} was left out, because {why}, and grade again."
        else:
            by_id[folded(folder.name)].append(folder)
    for alike in by_id.values():
        if len(alike) > 1:
            sentence = (
                f"{' and '.join(map(_where, alike))} were left out, because their names are "
                "spellings of one student id: keep one of them, and grade again."
            )
            found |= dict.fromkeys(alike, sentence)
    return found


def _where(folder: Path) -> str:
    return f"{shown(folder.parent.name)}/{shown(folder.name)}"


# The stored reports: a JSON file for each submission


def save_report(course: Course, report: Report) -> None:
    """Store a report atomically: an interrupted run leaves either the old one or the new one."""
    path = course.report_path(report.student, report.assignment)
    save_whole(report.to_json().encode(), refuse_links(path, course.reports))


def load_report(course: Course, student: str, assignment: str) -> Report | None:
    """Return the stored report; None if it is missing or damaged."""
    try:
        return read_report(course.report_path(student, assignment))
    except (OSError, ValueError):
        return None


def read_report(path: Path) -> Report:
    """Read a report; raise ValueError if it is damaged, or about another submission.

    Raises `CourseError` if a newer version wrote it, which nobody may write over, or for a link.
    """
    raw = refuse_links(path, below=path.parents[1]).read_bytes()
    try:
        report = Report.model_validate_json(raw)
    except ValueError:
        refuse_newer(raw, "schema", SCHEMA, path)
        raise
    if (report.student, report.assignment) != (path.stem, path.parent.name):
        raise ValueError(f"{path} is about another submission")
    return report


def is_about(report: Report, path: Path) -> bool:
    try:
        return report.notebook_sha256 == sha256(read_submitted(path))
    except (OSError, SubmissionError):
        return False


def holds(report: Report, job: Job, fingerprint: Fingerprint, isolation: Isolation) -> bool:
    """Tell whether `report` is up to date, and about what lies there now."""
    return not why_old(report, job, fingerprint, isolation) and is_about(report, job.path)


def why_old(report: Report, job: Job, fingerprint: Fingerprint, isolation: Isolation) -> str:
    """Say why the same notebook is graded again; nothing if its `report` is up to date.

    All levels of isolation but `unsafe` count alike.
    """
    if report.is_early and not job.is_early:
        return "it was due, and tests waited for that"
    if not report.is_graded:
        return "the grader could not run all hidden tests last time"
    if there := [name for name in report.missing_modules if is_installed(name)]:
        return f"{', '.join(there)} is installed now"
    if report.fingerprint != fingerprint:
        return difference(report.fingerprint, fingerprint)
    is_unconfined = report.isolation == Isolation.UNSAFE != isolation
    return "the student's code ran unconfined last time" if is_unconfined else ""
