"""What a result depends on besides its arguments: chance, an earlier call, or the mode."""

from __future__ import annotations

from collections.abc import Hashable

from autograder.diagnosis.relations.evidence import Case, Evidence
from autograder.diagnosis.relations.pairs import (
    MAX_PAIRS,
    Pair,
    all_arguments_differ,
    equal_calls,
    grouped,
    key_of,
    likeness,
    may_be_wrong,
    proves,
)
from autograder.diagnosis.relations.results import matches


def not_repeatable(evidence: Evidence) -> str | None:
    """Find equal calls that give different results where nothing random belongs."""
    pairs = [p for p in equal_calls(evidence) if p.should_be_same and not _is_right(p)]
    if not proves(evidence, pairs) or any(p.is_same or _is_right_once(p) for p in pairs):
        return None
    if not evidence.explaining(tuple(filter(may_be_wrong, evidence.returned))) or evidence.raised:
        return None
    return (
        f"{evidence.subject} differs between equal calls: asked twice with the same arguments, "
        f"your code gives two results of shape {pairs[0].first.out.shape} that don't agree. What "
        "is drawn at random in a call, or changed by it and used again in the next?"
    )


def earlier_call(evidence: Evidence) -> str | None:
    """Find results that are right in a first call, and changed by it in later ones."""
    subject, told = evidence.subject, _changed_by_first_call(evidence)
    if not told:
        pieces = dict.fromkeys(case.piece for case in evidence.differing)
        stale = [piece for piece in pieces if _is_left_from_another_call(evidence, piece)]
        if not stale:
            return None
        subject = subject if len(stale) == len(pieces) else "One of your results"
        told = "where it is wrong, it is the right one of another of our calls"
    return (
        f"{subject} depends on an earlier call: {told}. What is kept from one call to the "
        "next: a table, a mask, a variable outside the function?"
    )


def _changed_by_first_call(evidence: Evidence) -> str:
    first, later = _by_order(evidence)
    if any(not case.is_right for case in first) or not evidence.differing:
        return ""
    wrong = [case for case in later if not case.is_right]
    if set(map(id, wrong)) != set(map(id, evidence.differing)):
        return ""
    known = {(likeness(case), case.call.is_train) for case in first}
    if all(_repeats_earlier(case, evidence) for case in wrong):
        return (
            "every first call is right, and where a later one is wrong, it is once more the result "
            "of a call before"
        )
    if all((likeness(case), case.call.is_train) in known for case in wrong):
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
            each.is_telling and all_arguments_differ(Pair(each, case)) for each in others
        )
    return bool(evidence.explaining(wrong)) and proofs >= min(2, len(wrong))


def _has_result_of(case: Case, other: Case) -> bool:
    """Tell whether what came back is the right result of another call of the same function."""
    return (
        case.got is not None
        and (case.piece, case.call.function) == (other.piece, other.call.function)
        and case.call.identity == other.call.identity
        and matches(case.out, other.wanted)
    )


def mode(evidence: Evidence) -> str | None:
    """Find results that are right in one mode only, or the same in both where they shouldn't be."""
    return _right_in_one_mode(evidence) or _alike_in_both_modes(evidence)


def _right_in_one_mode(evidence: Evidence) -> str | None:
    modes = {case.call.is_train for case in evidence.differing}
    if len(modes) != 1:
        return None
    (is_train,) = modes
    right = [case for case in evidence.agreeing if case.call.is_train != is_train]
    known = {likeness(case) for case in right if case.is_telling}
    contradicted = {likeness(case) for case in evidence.agreeing if case.call.is_train == is_train}
    wrong = {likeness(case) for case in evidence.differing}
    if not wrong <= known or wrong & contradicted:
        return None
    good, bad = ("eval", "train") if is_train else ("train", "eval")
    return (
        f"{evidence.subject} is right in {good} mode and wrong in {bad} mode, in calls that are "
        f"alike otherwise, such as one with results of shape {evidence.differing[0].wanted.shape}. "
        "Which step of yours asks for the mode, or should, or goes wrong in only one of the two?"
    )


def _alike_in_both_modes(evidence: Evidence) -> str | None:
    cases = [case for case in evidence.returned if case.got is not None]
    groups = grouped(cases, lambda case: (case.piece, case.call.subject, key_of(case)))
    pairs = [
        Pair(one, other)
        for group in groups.values()
        for one in group
        for other in group
        if one.call.is_train and one.call.is_random and not other.call.is_train
    ]
    pairs = [pair for pair in pairs if pair.should_differ][:MAX_PAIRS]
    train = tuple(case for case in cases if case.call.is_random)
    if not proves(evidence, pairs) or not all(pair.is_same for pair in pairs):
        return None
    if evidence.raised or not evidence.explaining(train):
        return None
    return (
        f"In one of our calls, {evidence.subject_within} in train mode "
        f"agrees with that in eval mode in every entry, of shape {pairs[0].first.out.shape}, "
        "where chance should have a part in train mode. Which steps are meant to differ between "
        "the modes, and do all of them?"
    )


def _is_right(pair: Pair) -> bool:
    return pair.first.is_right and pair.second.is_right


def _is_right_once(pair: Pair) -> bool:
    return pair.first.call.is_comparable and (pair.first.is_right or pair.second.is_right)


def _by_order(evidence: Evidence) -> tuple[list[Case], list[Case]]:
    """Return the first results of each function in a test, or of each module, and all others."""
    seen: set[Hashable] = set()
    first: list[Case] = []
    later: list[Case] = []
    for case in evidence.compared:
        key = (case.piece, case.call.test, case.call.subject)
        (later if key in seen else first).append(case)
        seen.add(key)
    return first, later


def _repeats_earlier(case: Case, evidence: Evidence) -> bool:
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
