"""nbgrader, the system of record: nothing outside this package knows of it.

Importing nbgrader takes seconds, so it is imported when it is called.
"""

from __future__ import annotations

import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from itertools import chain

from autograder.classroom.worker import Graded
from autograder.course import Course
from autograder.errors import GraderFault
from autograder.report import Report

# jsonschema, which nbgrader imports, compiles this module's grammars for two seconds to check a
# kind of address that no notebook has. It does without where the module can't be imported.
sys.modules.setdefault("rfc3987_syntax", None)  # type: ignore[arg-type]


def record_class(
    course: Course, results: Generator[Graded, None, None]
) -> tuple[list[Graded], list[str]]:
    """Enter what was graded in the gradebook, while the rest is being graded.

    Returns what became of the class, without what a table of it doesn't show, and a sentence for
    each submission that could not be recorded.
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
    """Enter the submissions that `reports` are about in the gradebook and under `autograded/`.

    The reports have to be on file; those that the gradebook holds already are passed over. A
    submission that nbgrader can't take is left out and the others are recorded; returns a sentence
    for each of those.
    """
    from autograder.gradebook import database
    from autograder.gradebook.ledger import Ledger

    with _in_order(), database.write_lock(course):
        ledger = Ledger(course)
        new = (report for report in reports if not ledger.holds(report))
        first = next(new, None)
        if first is None:
            return []
        from autograder.gradebook import recording

        return recording.record(course, chain([first], new), ledger)


def generate_feedback(course: Course, assignments: Iterable[str]) -> None:
    """Write the pages that students get back, for all that is recorded of `assignments`."""
    from autograder.gradebook import feedback

    with _in_order():
        feedback.generate(course, assignments)


def formgrader_command(course: Course) -> list[str]:
    """Return the command that serves the formgrader; it has to run in the course's root.

    All released assignments are in the gradebook then, so that the formgrader lists them.
    """
    from autograder.gradebook import assignments, configuration, database

    with _in_order(), database.shared_engine(configuration.url(course)):
        for name in course.released():
            assignments.enter(course, name)
    return [sys.executable, "-m", "jupyterlab", "--LabApp.default_url=/formgrader"]


@contextmanager
def _in_order() -> Iterator[None]:
    """Say what to do about a gradebook that is locked, damaged or out of reach."""
    from sqlalchemy.exc import SQLAlchemyError

    try:
        yield
    except SQLAlchemyError as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise GraderFault(
            f"The gradebook can't be used ({reason}). If another program holds it, wait for that; "
            "if it is damaged, put a copy in its place, or move it away. Then run this again: all "
            "reports are kept."
        ) from error
