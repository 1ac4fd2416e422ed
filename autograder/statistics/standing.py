"""Where each student and the class stand, by the gradebook: the numbers of the class report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import mean

from autograder.gradebook.marks import Marks
from autograder.report import TINY, ExerciseReport, Outcome, Report
from autograder.statistics.mistakes import SharedMistake

HELP_BELOW = 0.5  # of the points that are graded so far
MIN_SCORES = 5  # fewer are no distribution: they are read in the table
BINS = 10


@dataclass(frozen=True)
class Standing:
    """A student's points in what is graded so far; `before`: their share one assignment earlier."""

    student: str
    score: float
    max_score: float
    scores: Mapping[str, float | None]  # by exercise and written answer; None: not graded yet
    blank: frozenset[str]  # the exercises that weren't attempted
    waits: bool  # whether something isn't graded yet
    before: float | None = None
    what: tuple[str, ...] = ()  # to work on, a sentence each, if they need help

    @property
    def share(self) -> float | None:
        """The share of the points, between 0 and 1; None if nothing is graded yet."""
        return share_of(self.score, self.max_score)

    @property
    def needs_help(self) -> bool:
        return self.share is not None and self.share < HELP_BELOW


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
    reports: Iterable[Report],
    marks: Mapping[str, Marks],
    earlier: Mapping[str, Marks],
    mistakes: Mapping[str, Sequence[SharedMistake]],
) -> list[Standing]:
    """Return where each student stands: by the gradebook, or by the report if not recorded yet.

    `marks` and `earlier` are by student, `mistakes` by exercise.
    """
    described = {(m.exercise, m.tag): m.description for each in mistakes.values() for m in each}
    found = []
    for report in reports:
        mine, old = marks.get(report.student), earlier.get(report.student)
        total, held = mine or report, {mark.name: mark for mark in mine.each} if mine else {}
        scores = {each.name: each.score if each.is_graded else None for each in report.exercises}
        scores |= {answer.name: None for answer in report.manual}
        scores |= {name: held[name].score for name in scores if name in held}
        by_hand = {mark.name for mark in held.values() if mark.by_hand}
        blank = {e.name for e in report.exercises if e.outcome is Outcome.NOT_ATTEMPTED}
        standing = Standing(
            student=report.student,
            score=total.score,
            max_score=total.max_score,
            scores=scores,
            blank=frozenset(blank - by_hand),
            waits=bool(mine.not_graded) if mine else None in scores.values(),
            before=share_of(old.score, old.max_score) if old else None,
        )
        if standing.needs_help:
            full = {n for n in by_hand if (held[n].score or 0) >= held[n].max_score - TINY}
            wrong = (e for e in report.exercises if e.outcome is not Outcome.PASSED)
            missed = (e for e in wrong if e.is_graded and e.name not in full)
            what = tuple(f"`{e.name}`: {_trouble(e, described)}" for e in missed)
            standing = replace(standing, what=what)
        found.append(standing)
    return found


def _trouble(exercise: ExerciseReport, described: Mapping[tuple[str, str], str]) -> str:
    if exercise.outcome is Outcome.NOT_ATTEMPTED:
        return "not written yet"
    if exercise.misconceptions:
        named = (described.get((exercise.name, m.tag), m.tag) for m in exercise.misconceptions)
        return "; ".join(text.rstrip(".") for text in named)
    held = sum(test.outcome is Outcome.PASSED for test in exercise.tests)
    return f"{held} of {len(exercise.tests)} checks passed"


def histogram(shares: Iterable[float]) -> list[Bin]:
    """Count shares in bins of equal width; no bins for fewer than `MIN_SCORES`."""
    counts = BINS * [0]
    for share in shares:
        counts[min(BINS - 1, int(share * BINS + TINY))] += 1
    bins = [Bin(n / BINS, (n + 1) / BINS, count) for n, count in enumerate(counts)]
    return bins if sum(counts) >= MIN_SCORES else []


def written_questions(
    reports: Iterable[Report], found: Sequence[Standing]
) -> list[WrittenQuestion]:
    """Return the written questions, in the order of the notebook."""
    points = {answer.name: answer.max_score for report in reports for answer in report.manual}
    questions = []
    for name, most in points.items():
        scores = [each.scores[name] for each in found if name in each.scores]
        known = [score for score in scores if score is not None]
        waiting, average = len(scores) - len(known), mean(known) if known else None
        questions.append(WrittenQuestion(name, most, len(known), waiting, average))
    return questions


def trend(marks: Mapping[str, Iterable[Marks]]) -> list[TrendPoint]:
    """Return the assignments of which something is graded, in the order of `marks`."""
    points = []
    for assignment, each in marks.items():
        shares = [s for s in (share_of(m.score, m.max_score) for m in each) if s is not None]
        if shares:
            points.append(TrendPoint(assignment, len(shares), mean(shares)))
    return points
