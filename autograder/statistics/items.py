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

from autograder.report import TINY, Outcome, Report, totals

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


@dataclass(frozen=True)
class _Earned:
    """What a student has of an item, and of everything else: shares between 0 and 1."""

    share: float
    rest: float | None  # None: nothing else is graded


def items(reports: Iterable[Report]) -> list[Item]:
    """Return each exercise and, behind it, each of its checks, in the order of the notebook."""
    earned: dict[str, dict[str, list[_Earned]]] = {}
    titles: dict[tuple[str, str], str] = {}
    for report in reports:
        for exercise, check, title, each in _of_report(report):
            earned.setdefault(exercise, {}).setdefault(check, []).append(each)
            titles[exercise, check] = title
    return [
        _item(exercise, titles[exercise, check], each)
        for exercise, checks in earned.items()
        for check, each in checks.items()
    ]


def _of_report(report: Report) -> Iterator[tuple[str, str, str, _Earned]]:
    """Yield exercise, check and title for all that is graded, with what the student has of it.

    A check that isn't graded leaves its exercise without points, and its siblings with theirs.
    """
    score, possible = totals(report.exercises)
    for exercise in report.exercises:
        counted = exercise.is_graded
        if counted:
            got, most = exercise.score, exercise.max_score
            yield from _named(exercise.name, "", "", got, most, score - got, possible - most)
        for test in exercise.tests:
            if test.outcome is Outcome.GRADER_ERROR:
                continue
            got, most = test.score, test.max_score
            other = (score - got, possible - most) if counted else (score, possible)
            yield from _named(exercise.name, test.name, test.title, got, most, *other)


def _named(
    exercise: str, check: str, title: str, got: float, most: float, rest: float, possible: float
) -> Iterator[tuple[str, str, str, _Earned]]:
    if most > 0:
        share = rest / possible if possible > TINY else None
        yield exercise, check, title, _Earned(got / most, share)


def _item(exercise: str, check: str, earned: Sequence[_Earned]) -> Item:
    shares = [each.share for each in earned]
    value, why_not = discrimination([(each.share, each.rest) for each in earned])
    missed = sum(share < 1 - TINY for share in shares)
    return Item(exercise, check, len(shares), missed, mean(shares), value, why_not)


def discrimination(pairs: Iterable[tuple[float, float | None]]) -> tuple[float | None, str]:
    """Return the correlation of an item with the rest, or None and why there is none.

    `pairs` holds a student's share of the item, and of the rest.
    """
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
