"""The steps that know the bank: one variant, two at once, several, and what a check reveals."""

from __future__ import annotations

from collections.abc import Iterable

from autograder.diagnosis.case import Case, Check
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
    if any(test.calls.is_cut_off for test in case.replayable):
        return ()  # a known answer replies to everything
    for suspect in case.wrong:
        if len(suspect.candidate.variants) == number and _is_the_student(suspect, case):
            return _named(suspect.candidate.variants)
    return ()


def _is_the_student(suspect: Suspect, case: Case) -> bool:
    """Tell whether all replies agree, and differ from the right ones where the student fails.

    A slow test is left out, since it can't be replayed in time. What is remembered is looked at
    before anything is replayed, for it may be enough.
    """
    if any(suspect.is_known_to_contradict(test.calls, case.right) for test in case.decisive):
        return False
    found = Match.AGREES
    for test in _by_doubt(suspect, case):
        match = suspect.match(test.calls, case.right)
        if match is Match.CONTRADICTS:
            return False
        if not test.passed:
            found = max(found, match)
    return found >= Match.EXPLAINS


def _by_doubt(suspect: Suspect, case: Case) -> list[Check]:
    """Return the tests, first those in which one of two mistakes alone is no explanation."""
    tags = [each.tag for each in suspect.candidate.variants]
    if len(tags) == 1:
        return case.decisive
    doubtful = case.ruling_out(tags[0]) | case.ruling_out(tags[1])
    return sorted(case.decisive, key=lambda test: test not in doubtful)


def parts(case: Case) -> tuple[Misconception, ...]:
    """Name several variants that together explain every test that the student fails.

    Each of them agrees with the student in every test that passed, and is the only one to prove a
    mistake in some test that failed.
    """
    if not all(test.is_replayable for test in case.failed):
        return ()
    matches = dict[Check, dict[str, Match]]()  # by tag
    for test in case.decisive:
        if not test.passed:
            matches[test] = _explaining(case, test)
            if not matches[test]:
                return ()
    passed = [test for test in case.decisive if test.passed]
    explaining = {tag for each in matches.values() for tag in each}
    possible = {tag for tag in explaining if _agrees(case.single[tag], passed, case.right)}
    proven = dict[str, None]()
    for test in case.failed:
        proofs = [tag for tag, match in matches[test].items() if match is Match.PROVES]
        proofs = [tag for tag in proofs if tag in possible]
        proven |= dict.fromkeys(proofs if len(proofs) == 1 else ())
    if len(proven) > MAX_NAMED or not all(proven.keys() & each for each in matches.values()):
        return ()
    return _named(case.variants[tag] for tag in proven)


def _explaining(case: Case, test: Check) -> dict[str, Match]:
    """Return how those variants match that alone explain a failed test, by tag."""
    matches = {tag: each.match(test.calls, case.right) for tag, each in case.single.items()}
    return {tag: match for tag, match in matches.items() if match >= Match.EXPLAINS}


def _agrees(suspect: Suspect, tests: Iterable[Check], right: Suspect) -> bool:
    return all(suspect.match(test.calls, right) for test in tests)


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
