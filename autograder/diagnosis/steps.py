"""The steps of a diagnosis: each names what holds in all that was seen of a case, or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.case import Case, Finding
from autograder.diagnosis.relations import relation_in
from autograder.diagnosis.relations.gathering import Observed
from autograder.diagnosis.suspect import Match, Suspect
from autograder.errors import CourseError
from autograder.report import Misconception, Outcome
from autograder.testing.crashes import Explanation
from autograder.testing.failures import StudentRaised
from autograder.testing.misconceptions import Variant

MAX_NAMED = 3  # misconceptions named for one exercise
# Exceptions for sizes that don't fit, under whichever step comes upon them first.
_SIZES = frozenset({"crash-shapes", "crash-broadcast", "crash-reshape"})
_NAME = re.compile(r"name '(\w{1,60})' is not defined")


def known_variant(case: Case) -> tuple[Misconception, ...]:
    """Name the first variant that replies as the student does in every test."""
    return _first_of(1, case)


def pair(case: Case) -> tuple[Misconception, ...]:
    """Name the first two variants that together reply as the student does in every test."""
    return _first_of(2, case)


def _first_of(number: int, case: Case) -> tuple[Misconception, ...]:
    if not all(test.exchanges for test in case.failed):
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


def _by_doubt(suspect: Suspect, case: Case) -> list[Finding]:
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
    explaining = dict[Finding, dict[str, Match]]()
    for test in case.decisive:
        if not test.passed:
            explaining[test] = _explaining(case, test)
            if not explaining[test]:
                return ()
    passed = [test for test in case.decisive if test.passed]
    possible = {
        tag
        for tag in {tag for each in explaining.values() for tag in each}
        if all(case.single[tag].match(test.calls, case.right) for test in passed)
    }
    proven = dict[str, None]()
    for test in case.failed:
        proofs = [t for t, match in explaining[test].items() if match is Match.PROVES]
        proofs = [tag for tag in proofs if tag in possible]
        proven |= dict.fromkeys(proofs if len(proofs) == 1 else ())
    if len(proven) > MAX_NAMED or not all(proven.keys() & each for each in explaining.values()):
        return ()
    return _named(case.variants[tag] for tag in proven)


def _explaining(case: Case, test: Finding) -> dict[str, Match]:
    """Return how those variants match that alone explain a failed test, by tag."""
    matches = {tag: each.match(test.calls, case.right) for tag, each in case.single.items()}
    return {tag: match for tag, match in matches.items() if match >= Match.EXPLAINS}


def revealed(case: Case) -> tuple[Misconception, ...]:
    """Name what failed checks reveal by themselves."""
    tags = dict.fromkeys(test.reveals for test in case.failed if test.reveals)
    for tag in tags:
        if tag not in case.variants:
            raise CourseError(
                f"A hidden test of {case.exercise} reveals {tag!r}, which is no misconception in "
                "its bank: add it there, or correct the tag."
            )
    return _named(case.variants[tag] for tag in tags)[:MAX_NAMED]


def _named(variants: Iterable[Variant]) -> tuple[Misconception, ...]:
    return tuple(Misconception(tag=each.tag, message=each.message) for each in variants)


def relation(case: Case) -> tuple[Misconception, ...]:
    """Name the relation between the student's replies and right ones, if there is one."""
    # those with little data first: they are the easiest to see through
    tests = sorted(case.replayable, key=lambda test: test.calls.size)
    if all(test.passed for test in tests):
        return ()
    observed = [list(_observed(test.calls, case.right)) for test in tests]
    found = relation_in(observed, [test.passed for test in tests])
    return (found,) if found else ()


def _observed(calls: Calls, right: Suspect) -> Iterator[Observed]:
    """Put each call of a test beside the reply of a right answer."""
    for place, exchange in enumerate(calls.exchanges):
        known = right.reply(calls, place)
        yield Observed(exchange, known.message, calls.in_train[place], known.used_random)


def crash(case: Case) -> tuple[Misconception, ...]:
    """Name the kind of exception with which every test that fails breaks off."""
    raised = [error for test in case.failed if (error := _exception_of(test)) is not None]
    explained = [found for error in raised if (found := _explanation(error, case)) is not None]
    if not explained or len(explained) < len(case.failed):
        return ()
    tag = _tag_of(explained)
    if not tag:
        return ()
    every = "The check that fails" if len(raised) == 1 else "Every check that fails"
    places = {error.place for error in raised}
    if len(places) > 1:
        where = "with an error of the same kind"
    else:
        where = f"at {raised[0].place}" if raised[0].place else "with an error"
    told = next(each for each in explained if each.tag == tag)
    is_only = len({each.meaning for each in explained}) == 1
    first = "" if is_only else "The first one: " if told is explained[0] else "One of them: "
    return (Misconception(tag=tag, message=f"{every} breaks off {where}. {first}{told.meaning}"),)


def _tag_of(explained: Sequence[Explanation]) -> str:
    """Return the tag that all have; of several for sizes that don't fit, the most frequent."""
    tags = Counter(each.tag for each in explained)
    return tags.most_common(1)[0][0] if len(tags) == 1 or tags.keys() <= _SIZES else ""


def _explanation(error: StudentRaised, case: Case) -> Explanation | None:
    """Return what an exception means; a name that the module has as an attribute lacks `self`."""
    name = _NAME.search(error.detail)
    if name and name[1] in _attributes(case):
        return Explanation(
            "crash-missing-self",
            f"There is no `{name[1]}` here, though your module has an attribute of this name. "
            "What does a method write before the name of what belongs to its module?",
        )
    return error.explanation


def _attributes(case: Case) -> set[str]:
    """Return the attributes of the student's modules for which weights were set."""
    requests = [
        exchange.request
        for test in case.tests
        for exchange in test.exchanges
        if exchange.request["op"] == "load" and "error" not in exchange.reply
    ]
    return {key.split(".")[0] for request in requests for key in request["state"]}


def _exception_of(test: Finding) -> StudentRaised | None:
    """Return the exception that ended a test, unless it is no more than time, memory or a stub."""
    if test.verdict.outcome is not Outcome.ERROR or not test.exchanges:
        return None
    failure = test.exchanges[-1].failure
    return failure if isinstance(failure, StudentRaised) else None
