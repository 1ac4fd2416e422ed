"""nbgrader's gradebook, the system of record; besides `authoring`, only this package uses nbgrader.

configuration  nbgrader's settings for a course
database       opens the gradebook, and lets one run at a time write it
tables         nbgrader's tables as far as we read them, and ours
assignments    enters releases and their due dates (`due`)
recording      records graded submissions: notebooks in folders, rows in tables
ledger         which reports are recorded, so that an interrupted run resumes
reading        a submission as nbgrader gets it: its answers in a clean copy of the release
verdicts       writes the verdicts into the notebook, made of `nodes`
entries        writes scores and comments (`comments`, `escaping`) to nbgrader's tables
answers        which answer a grade is about
penalties      settles what lateness costs, by `lateness`
held, giving   what the desk sees and gives
marks          what each student has, for pages
scores         the same for platforms: is it final?
feedback       what the pages are made from that students get back
steps          what nbgrader's own commands run in place of their steps
reports        the report on a submission that nbgrader autogrades
leaving_out    what nbgrader's commands must not touch
cells          nbgrader's names for cells

Importing nbgrader takes seconds, so the functions here import what needs it when they are called.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain
from typing import TYPE_CHECKING

from autograder.course import Course
from autograder.errors import GraderFault
from autograder.grading.worker import Graded
from autograder.report import Report

if TYPE_CHECKING:
    from autograder.gradebook.marks import Marks
    from autograder.gradebook.scores import Score


def record_class(
    course: Course, results: Generator[Graded, None, None]
) -> tuple[list[Graded], list[str]]:
    """Record results in the gradebook while the remaining submissions are still being graded.

    Returns the results, reduced to what the class table shows, and a sentence for each submission
    that could not be recorded.
    """
    kept: list[Graded] = []

    def reports() -> Iterator[Report]:
        for graded in results:
            kept.append(graded.summary())
            if graded.report is not None:
                yield graded.report

    with closing(results):
        return kept, record(course, reports())


def record(course: Course, reports: Iterable[Report]) -> list[str]:
    """Record the submissions of `reports` in the gradebook and under `autograded/`.

    The reports must be stored; those that are already recorded are skipped. If nbgrader can't
    accept a submission, the others are still recorded; returns a sentence for each that failed.
    """
    from autograder.gradebook import database
    from autograder.gradebook.ledger import Ledger

    with explaining_errors(), database.write_lock(course):
        ledger = Ledger(course)
        new = (report for report in reports if not ledger.holds(report))
        first = next(new, None)
        failures: list[str] = []
        if first is not None:
            from autograder.gradebook import recording

            failures = recording.record(course, chain([first], new), ledger)
        settle_penalties(course)
        return failures


def settle_penalties(course: Course) -> None:
    """Make late penalties what due dates, extensions and all points given so far make of them."""
    from autograder.gradebook import configuration, database, penalties

    url = configuration.url(course)
    if database.exists(url):
        with database.opened(url) as engine:
            penalties.settle(course, engine)


def read_marks(course: Course, assignments: Iterable[str]) -> list[Marks]:
    """Return the marks of all recorded submissions of `assignments`, late penalties settled."""
    from autograder.gradebook import marks

    with explaining_errors():
        return marks.read(course, assignments)


def scores_of(course: Course, assignment: str) -> dict[str, Score]:
    """Return the score of each submission of `assignment`, by student; nothing is written."""
    from autograder.gradebook import scores

    with explaining_errors():
        return scores.read(course, assignment)


def formgrader_command(course: Course) -> list[str]:
    """Return the command that serves the formgrader; it must run in the course's root.

    Enters all released assignments in the gradebook, so that the formgrader lists them.
    """
    from autograder.gradebook import assignments, configuration, database

    with explaining_errors(), database.shared_engine(configuration.url(course)):
        for name in course.released():
            assignments.enter(course, name)
    command = [sys.executable, "-m", "jupyterlab", "--LabApp.default_url=/formgrader"]
    # Jupyter refuses to run as root otherwise; a container has no other user.
    return [*command, "--allow-root"] if os.geteuid() == 0 else command


@contextmanager
def explaining_errors() -> Iterator[None]:
    """Turn database errors into a `GraderFault` that says what to do."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise GraderFault(
            f"The gradebook can't be used ({reason}). If another program has locked it, wait until "
            "that finishes; if the disk is full, make room; if it is damaged, restore a backup or "
            "move it away. Then run this again: no reports are lost."
        ) from error
