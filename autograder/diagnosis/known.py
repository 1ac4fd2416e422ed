"""The steps that know the bank: one variant, two at once, several, and what a check reveals."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.diagnosis.case import Case
from autograder.diagnosis.suspect import Match, Suspect
from autograder.errors import CourseError
from autograder.report import Misconception
from autograder.testing.misconceptions import Variant

MAX_NAMED = 3  # misconceptions named for one exercise


def known_variant(case: Case) -> tuple[Misconception, ...]:
    """Name the first variant that replies as the student does in every test."""
    return _first_of(1, case)


def pair(case: Case) -> tuple[Misconception, ...]:
    """Name the first two variants that together reply as the student does in every test."""
    return _first_of(2, case)


def _first_of(number: int, case: Case) -> tuple[Misconception, ...]:
    if not all(test.finding.exchanges for test in case.failed):
        return ()  # what made no call, no known answer can explain
    for suspect in case.wrong:
        if len(suspect.candidate.variants) == number and _is_the_student(suspect, case):
            return _named(suspect.candidate.variants)
    return ()


def _is_the_student(suspect: Suspect, case: Case) -> bool:
    """Tell whether all replies agree, and differ from the right ones where the student fails.

    A slow test is left out, since it can't be replayed in time.
    """
    found = Match.AGREES
    for test in case.replayable:
        match = suspect.match(test.calls, case.right)
        if match is Match.CONTRADICTS:
            return False
        if not test.passed:
            found = max(found, match)
    return found >= Match.EXPLAINS


def parts(case: Case) -> tuple[Misconception, ...]:
    """Name several variants that together explain every test that the student fails.

    Each of them agrees with the student in every test that passed, and is the only one to prove a
    mistake in some test that failed.
    """
    if not all(test.is_replayable for test in case.failed):
        return ()
    singles = [each for each in case.wrong if len(each.candidate.variants) == 1]
    for test in case.replayable:
        if test.passed:
            singles = [each for each in singles if each.match(test.calls, case.right)]
    proven, explained = list[Suspect](), list[set[str]]()
    for test in case.failed:
        matches = [(each, each.match(test.calls, case.right)) for each in singles]
        proofs = [each for each, match in matches if match is Match.PROVES]
        proven += proofs if len(proofs) == 1 and proofs[0] not in proven else []
        explained.append({_tag(each) for each, match in matches if match >= Match.EXPLAINS})
    tags = {_tag(each) for each in proven}
    if len(proven) > MAX_NAMED or not all(tags & each for each in explained):
        return ()
    return _named(each.candidate.variants[0] for each in proven)


def revealed(case: Case) -> tuple[Misconception, ...]:
    """Name what failed checks reveal by themselves."""
    tags = dict.fromkeys(test.finding.reveals for test in case.failed if test.finding.reveals)
    for tag in tags:
        if tag not in case.variants:
            raise CourseError(
                f"A hidden test of {case.exercise} reveals {tag!r}, which is no misconception in "
                "its bank: add it there, or correct the tag."
            )
    return _named(case.variants[tag] for tag in tags)[:MAX_NAMED]


def _named(variants: Iterable[Variant]) -> tuple[Misconception, ...]:
    return tuple(Misconception(tag=each.tag, message=each.message) for each in variants)


def _tag(suspect: Suspect) -> str:
    return suspect.candidate.variants[0].tag
