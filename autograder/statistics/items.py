"""How hard each exercise and check was, and whether it tells strong students from weak ones.

Both figures are those of classical test theory. Difficulty is the mean share of points, so an easy
item has a high one. Discrimination is the correlation of an item with the rest of the assignment
(corrected item-total correlation; for an item of all or nothing, the point-biserial one).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from statistics import StatisticsError, correlation, mean

from autograder.report import TINY, ExerciseReport, Outcome, Report, totals

MIN_STUDENTS = 20  # with fewer, a correlation of 0 is often measured as 0.4 or more
MIN_ASIDE = 3  # students whose points differ from those of most: or one person decides it


@dataclass(frozen=True)
class Item:
    """An exercise, or one of its checks if `check` names it, over the students who have it graded.

    `difficulty` lies between 0 and 1, `discrimination` between -1 and 1. None: it would mean
    nothing, and `why_not` says what is missing for `discrimination`.
    """

    exercise: str
    check: str
    students: int
    missed: int  # students with less than full points
    difficulty: float | None
    discrimination: float | None
    why_not: str = ""

    @property
    def remark(self) -> str:
        """Say in words what the two figures come to; nothing if that is nothing special."""
        if self.discrimination is not None and self.discrimination < 0:
            return "Look at this one: students who do well elsewhere miss it."
        if self.difficulty is not None and self.difficulty >= 0.95:
            return "Nearly everybody gets it right."
        if self.difficulty is not None and self.difficulty <= 0.2:
            return "Hardly anybody gets it right."
        if self.discrimination is not None and self.discrimination < 0.2:
            return "It says little about who does well elsewhere."
        return ""


@dataclass(frozen=True)
class ExerciseSummary:
    """The results of a class in one exercise: the mean score, and numbers of students."""

    name: str
    mean: float  # of those that are graded
    max_score: float
    full_marks: int
    not_attempted: int
    not_graded: int
    unexplained: int  # with points missing, and no misconception found that says why


def summaries(reports: Iterable[Report]) -> list[ExerciseSummary]:
    """Sum up each exercise, in the order of the notebook, over the reports that have it."""
    found: dict[str, list[ExerciseReport]] = {}
    for report in reports:
        for exercise in report.exercises:
            found.setdefault(exercise.name, []).append(exercise)
    return [_summary(name, each) for name, each in found.items()]


def _summary(name: str, each: Sequence[ExerciseReport]) -> ExerciseSummary:
    outcomes = Counter(exercise.outcome for exercise in each)
    solved = (Outcome.PASSED, Outcome.NOT_ATTEMPTED, Outcome.GRADER_ERROR)
    return ExerciseSummary(
        name=name,
        mean=mean([exercise.score for exercise in each if exercise.is_graded] or [0]),
        max_score=max(exercise.max_score for exercise in each),
        full_marks=outcomes[Outcome.PASSED],
        not_attempted=outcomes[Outcome.NOT_ATTEMPTED],
        not_graded=sum(not exercise.is_graded for exercise in each),
        unexplained=sum(e.outcome not in solved and not e.misconceptions for e in each),
    )


def items(reports: Iterable[Report]) -> list[Item]:
    """Return each exercise and, behind it, each of its checks, in the order of the notebook."""
    earned: dict[str, dict[str, list[tuple[float, float | None]]]] = {}
    titles: dict[tuple[str, str], str] = {}
    for report in reports:
        for exercise, check, title, shares in _of_report(report):
            earned.setdefault(exercise, {}).setdefault(check, []).append(shares)
            titles[exercise, check] = title
    found = []
    for exercise, checks in earned.items():
        for check, pairs in checks.items():
            own = [share for share, _ in pairs]
            missed, (figure, why) = sum(share < 1 - TINY for share in own), discrimination(pairs)
            title = titles[exercise, check]
            found.append(Item(exercise, title, len(own), missed, mean(own), figure, why))
    return found


def _of_report(report: Report) -> Iterator[tuple[str, str, str, tuple[float, float | None]]]:
    """Yield exercise, check and title for all that is graded, with the shares that were earned.

    These are the share of the item, and that of everything else: None if nothing else is graded. A
    check that isn't graded leaves its exercise without points, and its siblings with theirs.
    """
    score, possible = totals(report.exercises)
    for each in report.exercises:
        parts = [("", "", each.score, each.max_score)] if each.is_graded else []
        parts += [
            (test.name, test.title, test.score, test.max_score)
            for test in each.tests
            if test.outcome is not Outcome.GRADER_ERROR
        ]
        for check, title, got, most in parts:
            rest, others = (score - got, possible - most) if each.is_graded else (score, possible)
            if most > 0:
                shares = got / most, rest / others if others > TINY else None
                yield each.name, check, title, shares


def discrimination(pairs: Iterable[tuple[float, float | None]]) -> tuple[float | None, str]:
    """Return the correlation of shares of an item with those of the rest, or None and why not."""
    known = [(share, rest) for share, rest in pairs if rest is not None]
    if len(known) < MIN_STUDENTS:
        return None, f"needs {MIN_STUDENTS} students with points here and elsewhere"
    shares, rests = zip(*known, strict=True)
    (_, alike), *_ = Counter(round(share, 9) for share in shares).most_common(1)
    if len(known) - alike < MIN_ASIDE:
        return None, f"needs {MIN_ASIDE} students who did differently here from most"
    try:
        return max(-1.0, min(1.0, correlation(shares, rests))), ""
    except StatisticsError:
        return None, "needs students who did differently elsewhere"
