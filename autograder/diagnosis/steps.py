"""The steps by which a mistake is named, in order: each names what holds in all that was seen."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import islice, takewhile

from autograder.diagnosis.agreement import error_words
from autograder.diagnosis.case import Case, Finding
from autograder.diagnosis.pairs import likely_pairs
from autograder.diagnosis.relations import relation_in
from autograder.diagnosis.relations.gathering import Observed, by_name, parameters_in
from autograder.diagnosis.suspect import Match, Suspect
from autograder.errors import CourseError
from autograder.report import Misconception, Outcome
from autograder.testing.failures import Explanation, StudentRaised
from autograder.testing.student import Exchange

MAX_PAIRS = 80  # of mistakes that are replayed, the likeliest
MAX_FURTHER = 320  # pairs after these, of functions: a module's replies take too long
MAX_LOOKED_AT = 1000  # of all pairs, the likeliest so far
MAX_NAMED = 3  # misconceptions named for one exercise
# Exceptions for sizes that don't fit, under whichever step comes upon them first.
_SIZES = frozenset({"crash-shapes", "crash-broadcast", "crash-reshape"})


def known_variant(case: Case) -> tuple[Misconception, ...]:
    """Name the first variant that replies as the student does in every test.

    Where a failed test has numbers that are left to chance, or of another type, a second one may
    explain it: both are named if together they repeat every number.
    """
    if not case.is_comparable:
        return ()
    suspects = case.single.items()
    found = next((tag for tag, suspect in suspects if case.is_explained_by(suspect)), None)
    if found is None:
        return ()
    return _named(_shared(_with_another(found, case), case) or [found], case)


def _with_another(tag: str, case: Case) -> list[Suspect]:
    """Return suspects with `tag` and a second mistake, which explains what `tag` doesn't repeat."""
    alone = case.single[tag]
    left = [t for t in case.decisive if not t.passed and not alone.repeats(t.calls)]
    if not left:
        return []
    calls = left[0].calls
    # up to the first reply that is left the other has to have an effect, too
    until = next(place for place in calls.places if not alone.repeats_at(calls, place))
    others = (
        case.together(tag, other)
        for other, suspect in case.single.items()
        if other != tag and not case.is_right(suspect, calls, until)
    )
    return [
        suspect
        for suspect in filter(None, others)
        if all(suspect.repeats(test.calls) for test in (*left, *case.decisive))
        and any(suspect.match(t.calls, case.right) >= Match.EXPLAINS for t in left)
    ]


def pair(case: Case) -> tuple[Misconception, ...]:
    """Name the two variants, or one in another style, that reply as the student in every test.

    If several pairs do, what they have in common is named: of those that leave nothing to chance,
    if there are any. If none does, two in a style may, or two of functions that are less likely.
    Where every test breaks off, too many pairs would do so as well.
    """
    if not case.is_comparable or _raises_what_nobody_does(case):
        return ()
    if not any(test.has_only_results for test in case.replayable):
        return ()
    suspects = {**case.single, **case.styles}
    likely = likely_pairs(case.replayable, case.right, suspects, MAX_LOOKED_AT)
    plain = filter(None, (case.together(*tags) for tags in likely))
    alone = filter(None, _alone_in_styles(case))
    styled = filter(None, _pairs_in_styles(case, likely))
    further = MAX_FURTHER if _only_calls(case) else 0
    made_in_turn = ((plain, MAX_PAIRS), (alone, MAX_PAIRS), (styled, MAX_PAIRS), (plain, further))
    for made, most in made_in_turn:
        candidates = islice(made, most)
        if explaining := [each for each in candidates if case.is_explained_by(each)]:
            to_the_number = [
                suspect
                for suspect in explaining
                if all(suspect.repeats(test.calls) for test in case.replayable)
            ]
            return _named(_shared(to_the_number or explaining, case), case)
    return ()


def _only_calls(case: Case) -> bool:
    """Tell whether the student's functions were called, and nothing was constructed."""
    exchanges = (exchange for test in case.replayable for exchange in test.exchanges)
    return all(exchange.request["op"] == "call" for exchange in exchanges)


def _raises_what_nobody_does(case: Case) -> bool:
    """Tell whether a test breaks off with an error that no known mistake raises there by itself.

    Then no two do, but for sizes that don't fit: two right ones may be none together.
    """
    test = next(iter(case.decisive), None)
    error = _exception_of(test) if test else None
    if test is None or error is None or (error.explanation and error.explanation.tag in _SIZES):
        return False
    last, theirs = len(test.exchanges) - 1, test.exchanges[-1].reply
    suspects = (*case.single.values(), *case.styles.values())
    replies = ((each, each.reply(test.calls, last).message) for each in suspects)
    known = (error_words(each.in_words_of(theirs, reply)) for each, reply in replies)
    return error_words(theirs) not in known


def _shared(suspects: Sequence[Suspect], case: Case) -> list[str]:
    """Return the mistakes that all of them have, in the bank's order; none without suspects."""
    return [tag for tag in case.variants if suspects and all(tag in each.tags for each in suspects)]


def _alone_in_styles(case: Case) -> Iterator[Suspect | None]:
    """Yield each mistake in each style, if it gives what the student does in all tests that passed.

    No pair is likely of which a style shows only because of the mistake: it may hide a nan.
    """
    passed = [test.calls for test in case.decisive if test.passed]
    for tag, suspect in case.single.items() if case.styles else ():
        if all(suspect.match(calls, case.right) for calls in passed):
            yield from (case.together(tag, style) for style in case.styles)


def _pairs_in_styles(case: Case, likely: Sequence[tuple[str, str]]) -> Iterator[Suspect | None]:
    """Yield two mistakes in each style, the `likely` first.

    Where a style doesn't show in right replies, two come first that agree in most tests without it.
    One that does show makes other pairs likely.
    """
    if not case.styles:
        return
    mistakes = [pair for pair in likely if case.single.keys() >= set(pair)][:MAX_PAIRS]
    nearest = sorted(mistakes, key=lambda pair: -_agreeing(case.together(*pair), case))
    for style, suspect in case.styles.items():
        pairs: Sequence[tuple[str, str]] = nearest
        if not all(case.is_right(suspect, test.calls) for test in case.replayable):
            styled = ((tag, case.together(tag, style)) for tag in case.single)
            single = {tag: each for tag, each in styled if each}
            pairs = likely_pairs(case.replayable, suspect, single, MAX_LOOKED_AT)
        yield from (case.together(*pair, style) for pair in pairs[: MAX_PAIRS // len(case.styles)])


def _agreeing(suspect: Suspect | None, case: Case) -> int:
    """Count the tests, decisive ones first, up to the first that contradicts."""
    if suspect is None:
        return 0
    matches = (suspect.match(test.calls, case.right) for test in case.decisive)
    return sum(1 for _ in takewhile(lambda match: match is not Match.CONTRADICTS, matches))


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
            matches = {tag: s.match(test.calls, case.right) for tag, s in case.single.items()}
            explaining[test] = {tag: m for tag, m in matches.items() if m >= Match.EXPLAINS}
            if not explaining[test]:
                return ()
    passed = [test for test in case.decisive if test.passed]
    possible = {
        tag
        for tag in set[str]().union(*explaining.values())
        if all(case.single[tag].match(test.calls, case.right) for test in passed)
    }
    proven = dict[str, None]()
    for test in case.failed:
        matches = {tag: m for tag, m in explaining[test].items() if tag in possible}
        proofs = [tag for tag, match in matches.items() if match is Match.PROVES]
        proven |= dict.fromkeys(proofs if len(proofs) == 1 else ())
    if len(proven) > MAX_NAMED or not all(proven.keys() & each for each in explaining.values()):
        return ()
    return _named(proven, case)


def revealed(case: Case) -> tuple[Misconception, ...]:
    """Name what failed checks reveal by themselves, and what is wrong beside it if it is known."""
    tags = dict.fromkeys(test.reveals for test in case.failed if test.reveals)
    if unknown := [tag for tag in tags if tag not in case.variants]:
        raise CourseError(
            f"A hidden test of {case.exercise} reveals {unknown[0]!r}, which is no misconception "
            "in its bank: add it there, or correct the tag."
        )
    return (*_named(tags, case), *_beside_writing(case))[:MAX_NAMED]


def _beside_writing(case: Case) -> tuple[Misconception, ...]:
    """Name the known mistakes of an answer that a check has caught as it wrote into its arguments.

    Each call has arguments of its own, so what was written shows in no result. It may break a
    backward pass off, which then tells nothing.
    """
    revealing = {test for test in case.failed if test.reveals}
    if not any(each.reply.get("changed") for test in revealing for each in test.exchanges):
        return ()
    rest = [
        replace(test, exchanges=tuple(_as_if_nothing_was_written(test.exchanges)))
        for test in case.tests
        if test not in revealing and (test.passed or test.has_only_results)
    ]
    beside = replace(case, tests=rest)
    return known_variant(beside) or pair(beside)


def _as_if_nothing_was_written(exchanges: Iterable[Exchange]) -> Iterator[Exchange]:
    for each in exchanges:
        has_written = each.reply.get("changed")
        yield replace(each, reply={**each.reply, "changed": False}) if has_written else each


def _named(tags: Iterable[str], case: Case) -> tuple[Misconception, ...]:
    variants = (case.variants[tag] for tag in tags)
    return tuple(Misconception(tag=each.tag, message=each.message) for each in variants)


def relation(case: Case) -> tuple[Misconception, ...]:
    """Name the relation between the student's replies and right ones, if there is one."""
    # those with little data first: they are the easiest to see through
    tests = sorted(case.replayable, key=lambda test: test.calls.size)
    if all(test.passed for test in tests):
        return ()
    parameters = parameters_in(case.right.candidate.source)
    observed = [
        [
            Observed(by_name(exchange, parameters), right.message, right.used_random)
            for place, exchange in enumerate(test.exchanges)
            for right in [case.right.reply(test.calls, place)]
        ]
        for test in tests
    ]
    found = relation_in(observed, [test.passed for test in tests])
    return (found,) if found else ()


def crash(case: Case) -> tuple[Misconception, ...]:
    """Name the kind of exception with which every test that fails breaks off."""
    raised = [error for test in case.failed if (error := _exception_of(test)) is not None]
    explained = [found for error in raised if (found := _explanation(error, case)) is not None]
    if not explained or len(explained) < len(case.failed):
        return ()
    # of several exceptions for sizes that don't fit, the most frequent
    tags = Counter(each.tag for each in explained)
    if len(tags) > 1 and not tags.keys() <= _SIZES:
        return ()
    tag = tags.most_common(1)[0][0]
    number = next(number for number, each in enumerate(explained) if each.tag == tag)
    meaning, place = explained[number].meaning, raised[number].place
    every = "The check that fails" if len(raised) == 1 else "Every check that fails"
    at = f"at {place}" if place else ""
    if len({error.place for error in raised}) == 1:
        where, at = at or "with an error", ""
    else:
        where = "with an error of the same kind"
    if len({each.meaning for each in explained}) > 1:
        which = "One of them" if number else "The first one"
        meaning = f"{', '.join(filter(None, (which, at)))}: {meaning}"
    return (Misconception(tag=tag, message=f"{every} breaks off {where}. {meaning}"),)


def _explanation(error: StudentRaised, case: Case) -> Explanation | None:
    """Return what an exception means; a name that the module has as an attribute lacks `self`."""
    name = error.explanation.undefined if error.explanation else ""
    exchanges = (
        each for test in case.tests for each in test.exchanges if "error" not in each.reply
    )
    loaded = (each.request["state"] for each in exchanges if each.request["op"] == "load")
    if name and any(key.split(".")[0] == name for state in loaded for key in state):
        return Explanation(
            "crash-missing-self",
            f"There is no `{name}` here, though your module has an attribute of this name. "
            "What does a method write before the name of what belongs to its module?",
        )
    return error.explanation


def _exception_of(test: Finding) -> StudentRaised | None:
    """Return the exception in the student's code that ended a test; not time, memory or a stub."""
    if test.verdict.outcome is not Outcome.ERROR or not test.exchanges:
        return None
    last = test.exchanges[-1]
    if not isinstance(last.failure, StudentRaised):
        return None
    # What we do with a result, to have gradients, fails where the result is of another kind. A
    # RuntimeError is autograd's: of a result that is detached, or was written into.
    is_ours = last.request["op"] == "gradients" and not last.failure.place
    return None if is_ours and last.failure.type_name != "RuntimeError" else last.failure


STEPS: tuple[Callable[[Case], tuple[Misconception, ...]], ...] = (
    known_variant,  # one mistake of the bank explains everything
    pair,  # two at once do
    parts,  # several do, each a part
    revealed,  # a check that failed names a mistake by itself
    relation,  # what came back has a known relation to what should have
    crash,  # everything that fails breaks off in one way
)
