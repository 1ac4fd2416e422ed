"""All that is told about a class in one assignment, wherever it is read: on the page or as CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from statistics import mean

from autograder.course import Course
from autograder.course.roster import FILE, folded, read_roster
from autograder.gradebook import read_marks
from autograder.gradebook.marks import Marks
from autograder.report import Report
from autograder.sandbox.limits import Isolation
from autograder.statistics.class_standing import (
    InNeed,
    Standing,
    TrendPoint,
    WrittenQuestion,
    in_need,
    standings,
    trend,
    written_questions,
)
from autograder.statistics.faults import Fault, faults_in
from autograder.statistics.items import Item, items
from autograder.statistics.summaries import (
    ExerciseSummary,
    SharedMistake,
    misconceptions,
    summaries,
)

_OWN_SPACE = (
    "a space of its own: it saw Python, its libraries, and the files that you gave out, but no "
    "network, no other program, and no file of yours or of another student's"
)
_CONFINED = {
    Isolation.ROOTNS: _OWN_SPACE,
    Isolation.USERNS: _OWN_SPACE,
    Isolation.LOCKDOWN: "a locked process: it could read Python and its libraries, write nothing, "
    "and reach neither the network nor another program",
}
UNCONFINED = (
    "nothing but limits on its time and memory, because it was graded with --unsafe: it could read "
    "and change whatever you can. Rely on these scores only where you trust the student, or grade "
    "again on a machine that offers isolation"
)


@dataclass(frozen=True)
class Confinement:
    """What the code of so many students ran in, in words; `level` is the expert's name for it."""

    level: Isolation
    words: str
    students: int

    @property
    def is_none(self) -> bool:
        """Whether nothing confined it."""
        return self.level not in _CONFINED


@dataclass(frozen=True)
class ClassContent:
    """What is told about a class; lists are whole, and whoever shows them may cut them."""

    assignment: str
    reports: Sequence[Report]
    marks: Mapping[str, Marks]  # by student
    faults: Sequence[Fault]
    exercises: Sequence[ExerciseSummary]
    items: Sequence[Item]
    mistakes: Mapping[str, Sequence[SharedMistake]]  # by exercise
    standings: Sequence[Standing]
    in_need: Sequence[InNeed]
    absent: Sequence[str]  # of the roster, without a report
    written: Sequence[WrittenQuestion]
    trend: Sequence[TrendPoint]
    confined: Sequence[Confinement]

    @property
    def shares(self) -> list[float]:
        """The shares of those of whom something is graded."""
        return [each.share for each in self.standings if each.share is not None]

    @property
    def mean(self) -> float:
        """The mean points in the exercises that are graded automatically."""
        return mean(report.score for report in self.reports)

    @property
    def max_score(self) -> float:
        """The most points in those exercises."""
        return max(report.max_score for report in self.reports)

    @property
    def waiting(self) -> int:
        """The number of students of whom something isn't graded yet."""
        return sum(each.waits for each in self.standings)


def content_of(course: Course, assignment: str, reports: Sequence[Report]) -> ClassContent:
    """Gather what is told about a class that handed in at least once."""
    marks = _marks_until(course, assignment)
    earlier: dict[str, Marks] = {}
    for name, each in marks.items():
        earlier |= {} if name == assignment else {mine.student: mine for mine in each}
    mine = {each.student: each for each in marks.get(assignment, ())}
    mistakes = misconceptions(course, assignment, reports)
    found = standings(reports, mine, earlier)
    return ClassContent(
        assignment=assignment,
        reports=reports,
        marks=mine,
        faults=faults_in(reports),
        exercises=summaries(reports),
        items=items(reports),
        mistakes=mistakes,
        standings=found,
        in_need=in_need(found, reports, mine, mistakes),
        absent=_absent(course, reports),
        written=written_questions(reports, mine),
        trend=trend(marks),
        confined=_confined(reports),
    )


def _marks_until(course: Course, assignment: str) -> dict[str, list[Marks]]:
    """Return the marks of all assignments up to this one, in the course's order."""
    names = course.assignment_names()
    if assignment in names:
        names = names[: names.index(assignment) + 1]
    found: dict[str, list[Marks]] = {name: [] for name in names}
    for marks in read_marks(course, names):
        found[marks.assignment].append(marks)
    return found


def _absent(course: Course, reports: Sequence[Report]) -> list[str]:
    present = {folded(report.student) for report in reports}
    people = (person.student_id for person in read_roster(course.root / FILE))
    return [student for student in people if folded(student) not in present]


def _confined(reports: Sequence[Report]) -> list[Confinement]:
    numbers = Counter(report.isolation for report in reports)
    return [
        Confinement(level, _CONFINED.get(level, UNCONFINED), numbers[level])
        for level in Isolation
        if numbers[level]
    ]
