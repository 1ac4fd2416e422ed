"""Where each student and the class stand, by the gradebook: the numbers of the class report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import mean, median

from autograder.gradebook.marks import Marks
from autograder.report import TINY, ExerciseReport, Outcome, Report
from autograder.statistics.summaries import SharedMistake

HELP_BELOW = 0.5  # of the points that are graded so far
MIN_SCORES = 5  # fewer are no distribution: they are read in the table
BINS = 10


@dataclass(frozen=True)
class Standing:
    """A student's points in what is graded so far; `before`: their share one assignment earlier."""

    student: str
    score: float
    max_score: float
    waits: bool  # whether something isn't graded yet
    before: float | None = None

    @property
    def share(self) -> float | None:
        """The share of the points, between 0 and 1; None if nothing is graded yet."""
        return share_of(self.score, self.max_score)


@dataclass(frozen=True)
class InNeed:
    """A student with less than `HELP_BELOW`, and a sentence on each exercise that needs work."""

    standing: Standing
    what: tuple[str, ...]


@dataclass(frozen=True)
class WrittenQuestion:
    """A question that a person grades: how far that is, and the mean points of those graded."""

    name: str
    max_score: float
    graded: int
    waiting: int
    mean: float | None


@dataclass(frozen=True)
class Bin:
    """The students whose share lies from `low` to below `high`; the last bin has all of 1 too."""

    low: float
    high: float
    students: int


@dataclass(frozen=True)
class TrendPoint:
    """An assignment: its students, and the mean of their shares."""

    assignment: str
    students: int
    mean: float


def share_of(score: float, max_score: float) -> float | None:
    """Return a share between 0 and 1, or None of nothing; extra credit and penalties are cut."""
    return min(1.0, max(0.0, score / max_score)) if max_score > 0 else None


def standings(
    reports: Iterable[Report], marks: Mapping[str, Marks], earlier: Mapping[str, Marks]
) -> list[Standing]:
    """Return where each student stands: by the gradebook, or by the report if not recorded yet."""
    found = []
    for report in reports:
        mine, old = marks.get(report.student), earlier.get(report.student)
        total = mine or report
        waits = bool(mine.not_graded) if mine else bool(report.manual) or not report.is_graded
        before = share_of(old.score, old.max_score) if old else None
        found.append(Standing(report.student, total.score, total.max_score, waits, before))
    return found


def histogram(shares: Sequence[float]) -> list[Bin]:
    """Count shares in bins of equal width; no bins for fewer than `MIN_SCORES`."""
    if len(shares) < MIN_SCORES:
        return []
    counts = BINS * [0]
    for share in shares:
        counts[min(BINS - 1, int(share * BINS + TINY))] += 1
    return [Bin(n / BINS, (n + 1) / BINS, count) for n, count in enumerate(counts)]


def middle(shares: Sequence[float]) -> float | None:
    """Return the share that half of the class reaches; None for nobody."""
    return median(shares) if shares else None


def in_need(
    found: Iterable[Standing],
    reports: Iterable[Report],
    marks: Mapping[str, Marks],
    mistakes: Mapping[str, Sequence[SharedMistake]],
) -> list[InNeed]:
    """Return who needs help, the lowest share first, and in what."""
    described = {(m.exercise, m.tag): m.description for each in mistakes.values() for m in each}
    by_student = {report.student: report for report in reports}
    low = [each for each in found if each.share is not None and each.share < HELP_BELOW]
    low.sort(key=lambda each: (each.share, each.student))
    return [
        InNeed(each, tuple(_to_work_on(by_student[each.student], marks, described))) for each in low
    ]


def _to_work_on(
    report: Report, marks: Mapping[str, Marks], described: Mapping[tuple[str, str], str]
) -> Iterator[str]:
    mine = marks.get(report.student)
    for exercise in report.exercises:
        mark = mine[exercise.name] if mine else None
        if mark is not None and mark.by_hand and (mark.score or 0) >= mark.max_score - TINY:
            continue
        if exercise.outcome is not Outcome.PASSED and exercise.is_graded:
            yield f"`{exercise.name}`: {_trouble(exercise, described)}"


def _trouble(exercise: ExerciseReport, described: Mapping[tuple[str, str], str]) -> str:
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return "not written yet"
    if exercise.misconceptions:
        named = (described.get((exercise.name, m.tag), m.tag) for m in exercise.misconceptions)
        return "; ".join(text.rstrip(".") for text in named)
    held = sum(test.outcome is Outcome.PASSED for test in exercise.tests)
    return f"{held} of {len(exercise.tests)} checks held"


def written_questions(
    reports: Iterable[Report], marks: Mapping[str, Marks]
) -> list[WrittenQuestion]:
    """Return the written questions, in the order of the notebook."""
    points: dict[str, float] = {}
    scores: dict[str, list[float | None]] = {}
    for report in reports:
        mine = marks.get(report.student)
        for answer in report.manual:
            mark = mine[answer.name] if mine else None
            points[answer.name] = answer.max_score
            scores.setdefault(answer.name, []).append(mark.score if mark else None)
    return [_question(name, points[name], each) for name, each in scores.items()]


def _question(name: str, max_score: float, scores: Sequence[float | None]) -> WrittenQuestion:
    graded = [score for score in scores if score is not None]
    waiting = len(scores) - len(graded)
    return WrittenQuestion(name, max_score, len(graded), waiting, mean(graded) if graded else None)


def trend(marks: Mapping[str, Sequence[Marks]]) -> list[TrendPoint]:
    """Return the assignments of which something is graded, in the order of `marks`."""
    points = []
    for assignment, each in marks.items():
        shares = [s for s in (share_of(m.score, m.max_score) for m in each) if s is not None]
        if shares:
            points.append(TrendPoint(assignment, len(shares), mean(shares)))
    return points
