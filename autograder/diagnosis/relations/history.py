"""What a result depends on besides its arguments: chance, an earlier call, or the mode."""

from __future__ import annotations

from collections.abc import Iterator

from autograder.diagnosis.relations.evidence import Evidence, ResultCase
from autograder.diagnosis.relations.pairs import (
    MAX_PAIRS,
    CallPair,
    all_arguments_differ,
    grouped,
    key_of,
    likeness,
    may_be_wrong,
    pairs_of_equal,
    proves,
)
from autograder.diagnosis.relations.values import matches


def not_repeatable(evidence: Evidence) -> Iterator[str]:
    """Find equal calls that give different results where nothing random belongs."""
    equal = pairs_of_equal(evidence, lambda c: (c.call.is_train, c.call.subject, key_of(c)))
    pairs = [
        pair
        for pair in equal
        if pair.should_be_same and not (pair.first.is_right and pair.second.is_right)
    ]
    if not proves(evidence, pairs):
        return
    for pair in pairs:
        is_right_once = pair.first.is_right or pair.second.is_right
        if pair.is_same or (pair.first.call.is_comparable and is_right_once):
            return
    if evidence.explaining(may_be_wrong(evidence)) and not evidence.raised:
        yield (
            f"{evidence.subject} differs between equal calls: asked twice with the same arguments, "
            f"your code gives two results of shape {pairs[0].first.out.shape} that don't agree. "
            "What is drawn at random in a call, or changed by it and used again in the next?"
        )


def earlier_call(evidence: Evidence) -> Iterator[str]:
    """Find results that are right in a first call, and changed by it in later ones."""
    subject, told = evidence.subject, _changed_by_first_call(evidence)
    if not told:
        pieces = dict.fromkeys(case.piece for case in evidence.differing)
        stale = [piece for piece in pieces if _is_left_from_another_call(evidence, piece)]
        if not stale:
            return
        subject = subject if len(stale) == len(pieces) else "One of your results"
        told = "where it is wrong, it is the right one of another of our calls"
    yield (
        f"{subject} depends on an earlier call: {told}. What is kept from one call to the "
        "next: a table, a mask, a variable outside the function?"
    )


def mode(evidence: Evidence) -> Iterator[str]:
    """Find results that are right in one mode only, or the same in both where they shouldn't be."""
    yield from _right_in_one_mode(evidence)
    yield from _alike_in_both_modes(evidence)


def _changed_by_first_call(evidence: Evidence) -> str:
    """Say how later calls of a function or module depend on the first one in the test, if so."""
    differing = evidence.differing
    calls = grouped(evidence.compared, lambda c: (c.piece, c.call.test, c.call.subject))
    first = [group[0] for group in calls]
    wrong = {id(case) for group in calls for case in group[1:] if not case.is_right}
    if not all(case.is_right for case in first) or not wrong or wrong != set(map(id, differing)):
        return ""
    known = {(likeness(case), case.call.is_train) for case in first}
    if all(_repeats_earlier(case, evidence) for case in differing):
        return (
            "every first call is right, and where a later one is wrong, it is once more the result "
            "of a call before"
        )
    if all((likeness(case), case.call.is_train) in known for case in differing):
        return (
            "every first call is right, and where a later one is wrong, a call just like it, put "
            "first, goes well"
        )
    return ""


def _is_left_from_another_call(evidence: Evidence, piece: str) -> bool:
    """Tell whether each wrong result is the right one of another call, in this test or others.

    What a function keeps outlives a test. In some such pairs of calls every argument differs, so
    that an argument without effect can't be what makes them equal.
    """
    wrong = tuple(case for case in evidence.differing if case.piece == piece)
    proofs = 0
    for case in wrong:
        others = [each for each in evidence.agreeing if _has_result_of(case, each)]
        if not others:
            return False
        proofs += case.is_telling and any(
            each.is_telling and all_arguments_differ(CallPair(each, case)) for each in others
        )
    return bool(evidence.explaining(wrong)) and proofs >= min(2, len(wrong))


def _has_result_of(case: ResultCase, other: ResultCase) -> bool:
    """Tell whether what came back is the right result of another call of the same function."""
    return (
        case.got is not None
        and (case.piece, case.call.function) == (other.piece, other.call.function)
        and case.call.identity == other.call.identity
        and matches(case.out, other.wanted)
    )


def _right_in_one_mode(evidence: Evidence) -> Iterator[str]:
    modes = {case.call.is_train for case in evidence.differing}
    if len(modes) != 1:
        return
    (is_train,) = modes
    right = [case for case in evidence.agreeing if case.call.is_train != is_train]
    known = {likeness(case) for case in right if case.is_telling}
    contradicted = {likeness(case) for case in evidence.agreeing if case.call.is_train == is_train}
    wrong = {likeness(case) for case in evidence.differing}
    if wrong <= known and not wrong & contradicted:
        good, bad = ("eval", "train") if is_train else ("train", "eval")
        yield (
            f"{evidence.subject} is right in {good} mode and wrong in {bad} mode, in calls that "
            "are alike otherwise, such as one with results of shape "
            f"{evidence.differing[0].wanted.shape}. Which step of yours asks for the mode, or "
            "should, or goes wrong in only one of the two?"
        )


def _alike_in_both_modes(evidence: Evidence) -> Iterator[str]:
    cases = [case for case in evidence.returned if case.got is not None]
    pairs = [
        CallPair(one, other)
        for group in grouped(cases, lambda case: (case.call.subject, key_of(case)))
        for one in group
        for other in group
        if one.call.is_train and one.call.is_random and not other.call.is_train
    ]
    pairs = [pair for pair in pairs if pair.should_differ][:MAX_PAIRS]
    train = tuple(case for case in cases if case.call.is_random)
    if not proves(evidence, pairs) or not all(pair.is_same for pair in pairs):
        return
    if evidence.explaining(train) and not evidence.raised:
        yield (
            f"In one of our calls, {evidence.subject_within} in train mode agrees with that in "
            f"eval mode in every entry, of shape {pairs[0].first.out.shape}, where chance should "
            "have a part in train mode. Which steps are meant to differ between the modes, and do "
            "all of them?"
        )


def _repeats_earlier(case: ResultCase, evidence: Evidence) -> bool:
    """Tell whether the same came back from an earlier call, for which it was right."""
    return case.got is not None and any(
        earlier.is_right
        and earlier.call.subject == case.call.subject
        and (earlier.call.test, earlier.piece) == (case.call.test, case.piece)
        and earlier.call.place < case.call.place
        and earlier.is_telling
        and matches(case.out, earlier.out)
        for earlier in evidence.compared
    )
