"""Pairs of calls that differ in nothing, or in one thing alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from autograder.diagnosis.relations.evidence import Evidence, ResultCase
from autograder.diagnosis.relations.values import agree, clearly_differ

MAX_PAIRS = 200  # of calls that are compared, for one argument


@dataclass(frozen=True)
class CallPair:
    """Two calls, the earlier first."""

    first: ResultCase
    second: ResultCase

    @property
    def is_same(self) -> bool:
        """Whether the same came back from both."""
        one, other = self.first.got, self.second.got
        return one is not None and other is not None and agree(one.numbers, other.numbers)

    @property
    def should_differ(self) -> bool:
        """Whether the right results of both clearly differ."""
        is_telling = self.first.is_telling or self.second.is_telling
        return is_telling and clearly_differ(self.first.wanted, self.second.wanted)

    @property
    def should_be_same(self) -> bool:
        """Whether the right results of both are equal."""
        return agree(self.first.wanted, self.second.wanted)


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
    """Yield the first of the results that have the same key with each other, up to `MAX_PAIRS`.

    Those for which a right answer uses random numbers are left out.
    """
    steady = [c for c in evidence.returned if not c.call.is_random and c.got is not None]
    left = MAX_PAIRS
    for group in grouped(steady, key):
        for other in group[1 : left + 1]:
            left -= 1
            yield CallPair(group[0], other)


def likeness(case: ResultCase) -> Hashable:
    """Return what makes two calls alike: what they were given, but for the entries of floats."""
    known = list[tuple[str, bytes]]()
    for name, given in case.call.given.items():
        if given.value is not None and given.value.raw.dtype.kind == "f":
            known.append((name, str(given.value.raw.shape).encode()))
        elif not given.is_missing:
            known.append((name, given.digest))
    return (case.piece, case.call.function, tuple(sorted(known)))
