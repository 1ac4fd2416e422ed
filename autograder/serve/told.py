"""What a student is told of a try, and when; what changed from one try to the next."""

from collections.abc import Iterator
from concurrent.futures import BrokenExecutor
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial

from sqlalchemy import Engine, inspect

from autograder.course import Course
from autograder.errors import GraderFault
from autograder.gradebook import database
from autograder.gradebook.decisions import Decision, not_yet, read_decisions
from autograder.gradebook.feedback import summary_for
from autograder.gradebook.marks import Mark, Marks, marks_on
from autograder.gradebook.tables import SCHEMA
from autograder.gradebook.unrecorded import get_ready, page_on
from autograder.intake.release import Release
from autograder.report import TINY, Report
from autograder.serve.tables import TryState
from autograder.serve.tries import Tries, Try
from autograder.telling.pages.press import Press
from autograder.telling.record import Summary
from autograder.work.bounded import Unfinished


@dataclass(frozen=True)
class ExerciseChange:
    """What became of one exercise from an earlier try to a later one."""

    name: str
    before: float
    after: float
    solved: tuple[str, ...] = ()  # what was said of mistakes that aren't there any more
    new: tuple[str, ...] = ()


class Telling:
    """Reads reports and the gradebook, and renders pages in a process that can be killed."""

    def __init__(self, tries: Tries, gradebook: Engine) -> None:
        self._tries, self.gradebook = tries, gradebook
        self._press = Press()

    def warm(self) -> None:
        with suppress(BrokenExecutor, EOFError, OSError):  # the first page starts it
            self._press.warm(get_ready)

    def close(self) -> None:
        self._press.close()

    def marks(self, student: str, assignment: str) -> Marks | None:
        """Return what the gradebook holds of the try that counts, if anything."""
        if not self._is_recorded():
            return None
        with self.gradebook.connect() as connection:
            return next(iter(marks_on(connection, assignment, student=student)), None)

    def summary(self, found: Try, *, early: bool = False) -> Summary:
        """Return what the student is told of a try by now; raise `GraderFault` if it has no report.

        Only of the one that counts does the gradebook know: what people gave, and what lateness
        costs. With `early`, it is what the student is told once it was due.
        """
        report = self._report(found)
        marks = self.marks(found.student, found.assignment)
        counts = self._tries.counting(found.student, found.assignment)
        if marks and counts and found == counts and found.state is TryState.RECORDED:
            summary = summary_for(self._tries.course, marks)
        else:
            summary = self._by_itself(report)
        return summary if early else before_due(self._tries.course, summary)

    def _report(self, found: Try) -> Report:
        report = self._tries.report(found)
        if report is None:
            raise GraderFault("There is no report on this try: hand it in again.")
        return report

    def _by_itself(self, report: Report) -> Summary:
        """Return what is told of a try that doesn't count, or isn't recorded yet."""
        decisions: list[Decision] = []
        if self._is_recorded():
            with self.gradebook.connect() as connection:
                decisions = read_decisions(connection, report.assignment)
        each = tuple(Mark(name, "", None, 0) for name in report.names)
        marks = Marks(report.assignment, report.student, each, decisions=tuple(decisions))
        return summary_for(self._tries.course, marks, report)

    def _is_recorded(self) -> bool:
        there = database.exists(self.gradebook.url)
        return there and inspect(self.gradebook).has_table(SCHEMA.name)

    def page(self, found: Try, summary: Summary) -> str:
        """Return the page with a try's notebook; raise `GraderFault` if it can't be made."""
        release = Release.load(self._tries.course, found.assignment)
        report, raw = self._report(found), self._tries.path(found).read_bytes()
        work = partial(page_on, raw, release, report, summary)
        try:
            return self._press.make(work).text
        except Unfinished as error:
            raise GraderFault(
                f"This page can't be shown: {error}. The try's own page tells of marks."
            ) from None


def shows_points(course: Course, assignment: str, student: str, marks: Marks | None) -> bool:
    is_early = course.settings.is_early(assignment, student)
    hides = is_early and course.settings.serve.before_due != "marks"
    return not (hides or not_yet(course, assignment) or (marks and marks.withheld))


def before_due(course: Course, summary: Summary) -> Summary:
    """Return what may be told of a summary before the student's due date, by `course.toml`."""
    due = course.settings.due(summary.assignment, summary.student)
    level = course.settings.serve.before_due
    is_early = course.settings.is_early(summary.assignment, summary.student)
    if summary.kept_back or level == "marks" or due is None or not is_early:
        return summary
    when = f"{due:%Y-%m-%d %H:%M %Z}"
    if level == "nothing":
        said = f"It was graded. What was found is shown from {when} on."
        return Summary(summary.assignment, summary.student, (), kept_back=said)
    cards = (
        replace(card, ideas=card.ideas if level == "ideas" else (), checks=())
        for card in summary.cards
    )
    return replace(summary, cards=tuple(cards), penalty=0, points_from=when)


def changes(old: Summary, new: Summary) -> Iterator[ExerciseChange]:
    """Yield what changed between two tries, as far as both are told."""
    before = {card.name: card for card in old.cards}
    shows_points = not (old.points_from or new.points_from)
    for card in new.cards:
        was = before.get(card.name)
        if was is None or card.score is None or was.score is None:
            continue
        change = ExerciseChange(
            card.name,
            was.score if shows_points else 0,
            card.score if shows_points else 0,
            tuple(each for each in was.mistakes if each not in card.mistakes),
            tuple(each for each in card.mistakes if each not in was.mistakes),
        )
        if abs(change.after - change.before) > TINY or change.solved or change.new:
            yield change
