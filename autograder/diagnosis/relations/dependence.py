"""What a result depends on, and what it doesn't: arguments, chance, an earlier call, the mode.

Most of it is seen in pairs of calls, and needs no right number: with weights that were drawn and
never set, two results of one module can still be compared with each other.
"""

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import islice

import numpy as np

from autograder.diagnosis.relations.evidence import (
    EXACT,
    Evidence,
    ResultCase,
    agree,
    clearly_differ,
    largest,
    matches,
)

MAX_PAIRS = 200  # of calls that are compared, for one argument


@dataclass(frozen=True)
class CallPair:
    """Two calls, the earlier first."""

    first: ResultCase
    second: ResultCase

    @property
    def is_same(self) -> bool:
        one, other = self.first.got, self.second.got
        return one is not None and other is not None and agree(one.numbers, other.numbers)

    @property
    def is_large(self) -> bool:
        """Whether each axis of the right results has more than two entries, or only one."""
        return 2 not in self.first.wanted.shape

    @property
    def have_right_shapes(self) -> bool:
        return self.first.has_right_shape and self.second.has_right_shape

    @property
    def should_differ(self) -> bool:
        """Whether the right results of both clearly differ."""
        is_telling = self.first.is_telling or self.second.is_telling
        return is_telling and clearly_differ(self.first.wanted, self.second.wanted)


def proves(evidence: Evidence, pairs: Iterable[CallPair]) -> bool:
    """Tell whether there is a pair for each of the results that the evidence is about."""
    return {pair.first.piece for pair in pairs} == {case.piece for case in evidence.cases}


def has(case: ResultCase, name: str) -> bool:
    """Tell whether a call was given something under a name, other than None."""
    given = case.call.given.get(name)
    return given is not None and not given.is_missing


def changes_much(pair: CallPair, name: str) -> bool:
    """Tell whether an argument is left out of one call, or is another in most of its entries.

    Of one that changes a little, a part might still be used.
    """
    if not has(pair.first, name) or not has(pair.second, name):
        return True
    one, other = (case.call.given[name].value for case in (pair.first, pair.second))
    if one is None or other is None:
        return False
    if one.raw.shape != other.raw.shape:
        return True
    return float((one.raw != other.raw).mean()) >= (0.25 if one.raw.dtype.kind == "b" else 0.5)


def all_arguments_differ(pair: CallPair) -> bool:
    """Tell whether both calls have the same arguments, and every one is mostly another."""
    first, second = pair.first.call, pair.second.call
    return first.arguments == second.arguments and all(
        changes_much(pair, name) for name in first.arguments
    )


def may_be_wrong(evidence: Evidence) -> tuple[ResultCase, ...]:
    """Return the results that are wrong, or can't be compared."""
    return tuple(c for c in evidence.returned if not c.call.is_comparable or not c.is_right)


def key_of(case: ResultCase, without: str = "") -> Hashable:
    """Return all that a right result depends on, but for what is called `without`."""
    given = case.call.given.items()
    known = sorted((n, each.digest) for n, each in given if n != without and not each.is_missing)
    return (case.piece, case.call.function, case.call.identity, tuple(known))


def grouped(
    cases: Iterable[ResultCase], key: Callable[[ResultCase], Hashable]
) -> list[list[ResultCase]]:
    """Return the cases that have the same key together."""
    groups: dict[Hashable, list[ResultCase]] = defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return list(groups.values())


def pairs_of_equal(evidence: Evidence, key: Callable[[ResultCase], Hashable]) -> Iterator[CallPair]:
    """Return the first of the results that have the same key with each other, up to `MAX_PAIRS`.

    Those for which a right answer uses random numbers are left out.
    """
    steady = [c for c in evidence.returned if not c.call.is_random and c.got is not None]
    pairs = (CallPair(first, each) for first, *others in grouped(steady, key) for each in others)
    return islice(pairs, MAX_PAIRS)


def likeness(case: ResultCase) -> Hashable:
    """Return what makes two calls alike: what they were given, but for the entries of floats."""
    known = list[tuple[str, bytes]]()
    for name, given in case.call.given.items():
        if given.value is not None and given.value.raw.dtype.kind == "f":
            known.append((name, str(given.value.raw.shape).encode()))
        elif not given.is_missing:
            known.append((name, given.digest))
    return (case.piece, case.call.function, tuple(sorted(known)))


def returns_input(evidence: Evidence) -> Iterator[str]:
    """Find results that are what was passed in."""
    for name in evidence.differing[0].call.arguments if evidence.differing else ():
        if evidence.holds(partial(_is_argument, name)):
            yield evidence.says("returns_input", argument=name)


def uniform(evidence: Evidence) -> Iterator[str]:
    """Find results of one number only."""
    if evidence.holds(
        lambda case: (
            case.out.size > 1
            and bool(np.isfinite(case.out).all())
            and bool(np.ptp(case.out) <= EXACT * np.abs(case.out).max())
        )
    ):
        yield evidence.says("uniform")


def constant(evidence: Evidence) -> Iterator[str]:
    """Find results that are the same for whatever is passed in."""
    if not evidence.differing or any(case.is_telling for case in evidence.agreeing):
        return
    alike = pairs_of_equal(evidence, lambda case: (case.piece, case.out.shape))
    pairs = [pair for pair in alike if pair.should_differ]
    if not all(pair.is_same and all_arguments_differ(pair) for pair in pairs):
        return
    shapes = {(pair.first.piece, pair.first.out.shape) for pair in pairs}
    is_explained = all(
        case.got is not None and (case.piece, case.out.shape) in shapes
        for case in evidence.differing
    )
    if is_explained and proves(evidence, pairs):
        yield evidence.says("constant", shape=pairs[0].first.out.shape)


def alike_over_batch(evidence: Evidence) -> Iterator[str]:
    """Find results in which all entries of the batch are the same."""
    if evidence.holds(_is_alike_over_batch):
        yield evidence.says("alike_over_batch", number=len(evidence.differing[0].out))


def ignores_argument(evidence: Evidence) -> Iterator[str]:
    """Find an argument that changes right results, but not the student's.

    A right result for which it was given tells that it is used: something else is kept.
    """
    wrong = may_be_wrong(evidence)
    for name in dict.fromkeys(name for case in evidence.returned for name in case.call.given):
        right = [c for c in evidence.agreeing if c.is_telling and name in c.call.arguments]
        if any(has(case, name) for case in right):
            continue
        if not all(has(case, name) for case in wrong if case.call.is_comparable):
            continue
        pairs = [pair for pair in _pairs_differing_in(name, evidence) if pair.should_differ]
        # of two rows or columns too much is forced: two tokens that don't see themselves, say
        proofs = [pair for pair in pairs if changes_much(pair, name) and pair.is_large]
        # what has another shape is another thing: that comes first, and may be why they agree
        proofs = [pair for pair in proofs if pair.have_right_shapes]
        if not proves(evidence, proofs) or not all(pair.is_same for pair in pairs):
            continue
        if evidence.explaining(tuple(c for c in wrong if has(c, name))):
            shape = proofs[0].first.out.shape
            yield evidence.says("ignores_argument", argument=name, shape=shape)


def _pairs_differing_in(name: str, evidence: Evidence) -> Iterator[CallPair]:
    for pair in pairs_of_equal(evidence, lambda c: (c.call.is_train, key_of(c, without=name))):
        if key_of(pair.first) != key_of(pair.second):
            yield pair


def _is_argument(name: str, case: ResultCase) -> bool | None:
    given = case.call.given.get(name)
    if given is None or given.value is None or case.is_nearly_right:
        return None
    return given.value.raw.dtype.kind != "b" and matches(case.out, given.value.numbers)


def _is_alike_over_batch(case: ResultCase) -> bool | None:
    right, out = case.wanted, case.out
    if right.ndim < 3 or len(right) < 2:
        return None
    if out.shape != right.shape or not np.ptp(out) or not np.isfinite(out).all():
        return False
    is_alike = matches(out, np.broadcast_to(out[:1], out.shape))
    return is_alike and (clearly_differ(right[0], right[-1]) or matches(out, right))


def not_repeatable(evidence: Evidence) -> Iterator[str]:
    """Find equal calls that give different results where nothing random belongs."""
    equal = pairs_of_equal(evidence, lambda c: (c.call.is_train, c.call.subject, key_of(c)))
    equal = (pair for pair in equal if agree(pair.first.wanted, pair.second.wanted))
    pairs = [pair for pair in equal if not (pair.first.is_right and pair.second.is_right)]
    if not proves(evidence, pairs):
        return
    for pair in pairs:
        is_right_once = pair.first.is_right or pair.second.is_right
        if pair.is_same or (pair.first.call.is_comparable and is_right_once):
            return
    if evidence.explaining(may_be_wrong(evidence)):
        yield evidence.says("not_repeatable", shape=pairs[0].first.out.shape)


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
    yield evidence.says("earlier_call", some=subject, how=told)


def _changed_by_first_call(evidence: Evidence) -> str:
    """Say how later calls of a function or module depend on the first one in the test, if so."""
    differing = evidence.differing
    calls = grouped(evidence.compared, lambda c: (c.piece, c.call.test, c.call.subject))
    first = [group[0] for group in calls]
    wrong = {id(case) for group in calls for case in group[1:] if not case.is_right}
    if not all(case.is_right for case in first) or not wrong or wrong != set(map(id, differing)):
        return ""
    known = {(likeness(case), case.call.is_train): largest(case) for case in first}
    told = ""
    if all(_repeats_earlier(case, evidence) for case in differing):
        told = "it is once more the result of a call before"
    elif all(
        largest(case) <= 2 * known.get((likeness(case), case.call.is_train), -1)
        for case in differing
    ):
        told = "a call just like it, put first, goes well"
    return f"every first call is right, and where a later one is wrong, {told}" if told else ""


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


def _is_left_from_another_call(evidence: Evidence, piece: str) -> bool:
    """Tell whether each wrong result is the right one of another call, in this test or others.

    What a function keeps outlives a test. In some such pairs of calls every argument differs, so
    that an argument without effect can't be what makes them equal.
    """
    wrong = tuple(case for case in evidence.differing if case.piece == piece)
    proofs = 0
    for case in wrong:
        source = (case.piece, case.call.function, case.call.identity)
        others = [
            each
            for each in evidence.agreeing
            if (each.piece, each.call.function, each.call.identity) == source
            and case.got is not None
            and matches(case.out, each.wanted)
        ]
        if not others:
            return False
        proofs += case.is_telling and any(
            each.is_telling and all_arguments_differ(CallPair(each, case)) for each in others
        )
    return bool(evidence.explaining(wrong)) and proofs >= min(2, len(wrong))


def right_in_one_mode(evidence: Evidence) -> Iterator[str]:
    """Find results that are right in train mode only, or in eval mode only."""
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
        yield evidence.says("right_in_one_mode", good=good, bad=bad)


def alike_in_both_modes(evidence: Evidence) -> Iterator[str]:
    """Find results that are the same in both modes, where chance has a part in train mode."""
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
    if evidence.explaining(train):
        yield evidence.says("alike_in_both_modes", shape=pairs[0].first.out.shape)
