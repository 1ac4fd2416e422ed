"""Record stored reports in the gradebook: what is new of them, many at a time.

Whatever is stored and not recorded is recorded by the next run, so an interrupted one loses
nothing. The lock on the gradebook is held only while it is written.
"""

import time
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing
from functools import cache, partial
from itertools import chain, groupby
from operator import attrgetter

from autograder.course import Course
from autograder.errors import in_digits
from autograder.gradebook import configuration, database
from autograder.gradebook.lateness import settle
from autograder.gradebook.ledger import Ledger
from autograder.grading.submissions import Graded
from autograder.intake.release import Release
from autograder.report import TINY, Report

MAX_BATCH = 50  # submissions in one transaction
MAX_WAIT = 1.0  # seconds for which a report waits for others, if more come at all


def record_class(
    course: Course, results: Generator[Graded, None, None]
) -> tuple[list[Graded], list[str]]:
    """Record the reports of `results`, which come while the others are still being graded.

    Returns the results, reduced to what the class table shows, and a sentence for each failure.
    """
    kept: list[Graded] = []

    def reports() -> Iterator[Report]:
        for graded in results:
            kept.append(graded.summary())
            if graded.report is not None:
                yield graded.report

    with closing(results):
        return kept, record(course, reports())


def points_that_differ(course: Course, results: Iterable[Graded]) -> list[str]:
    """Say which exercises are worth other points in their hidden tests than in the release."""
    worth = {
        (each.report.assignment, exercise.name): exercise.max_score
        for each in results
        if each.report
        for exercise in each.report.exercises
    }
    releases = {name: Release.load(course, name).names for name, _ in worth}
    said = []
    for (assignment, name), points in worth.items():
        cell = releases[assignment].get(configuration.graded_cell(name))
        if cell is not None and abs((old := cell.nbgrader.points) - points) > TINY:
            new = in_digits(points)
            said.append(
                f"{name} is worth {new} points in its hidden tests and {in_digits(old)} "
                f"in the released notebook: {new} count, and `make release` writes them there."
            )
    return said


def what_is_gone(course: Course) -> list[str]:
    """Say that the gradebook is missing, though work was recorded in one; nothing if it isn't."""
    url = configuration.url(course)
    if database.exists(url) or not any(course.autograded.glob("*/*/*.ipynb")):
        return []
    return [
        "The gradebook is gone, and a new one is made from the reports. What people gave or "
        "decided was only in the old one: if you have a backup, put it back and run this again."
    ]


def record(course: Course, reports: Iterable[Report]) -> list[str]:
    """Record stored reports in the gradebook and under `autograded/`, those that aren't there yet.

    Returns a sentence for each that failed: the others are still recorded.
    """
    with database.write_lock(course):
        ledger = Ledger(course)
    new = (report for report in reports if not ledger.holds(report))
    first = next(new, None)
    failures = [] if first is None else _record(course, chain([first], new), ledger)
    with database.write_lock(course), database.gradebook_of(course) as engine:
        if engine:
            settle(course, engine)
    return failures


def _record(course: Course, reports: Iterable[Report], ledger: Ledger) -> list[str]:
    from autograder.gradebook.recorder import Recorder  # here: it takes seconds to import

    failures: list[str] = []
    with database.shared_engine(configuration.url(course)) as engine:
        recorder = cache(partial(Recorder, course, ledger, engine))
        for batch in _batches(reports):
            with database.write_lock(course):
                for assignment, each in groupby(batch, key=attrgetter("assignment")):
                    failures += recorder(assignment).record(list(each))
    return failures


def _batches(reports: Iterable[Report]) -> Iterator[list[Report]]:
    """Yield what came together, by assignment; where reports come slowly, each as it comes."""
    batch: list[Report] = []
    since = time.monotonic()
    for report in reports:
        batch.append(report)
        if len(batch) == MAX_BATCH or time.monotonic() - since > MAX_WAIT:
            yield sorted(batch, key=attrgetter("assignment"))
            batch, since = [], time.monotonic()
    if batch:
        yield sorted(batch, key=attrgetter("assignment"))
