"""Pairs of calls that differ in nothing, or in one thing alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass

from autograder.diagnosis.relations.evidence import Case, Evidence, Given
from autograder.diagnosis.relations.results import EXACT, clearly_differ, error

MAX_PAIRS = 200  # of calls that are compared, for one argument


@dataclass(frozen=True)
class Pair:
    """Two calls, the earlier first."""

    first: Case
    second: Case

    @property
    def is_same(self) -> bool:
        """Whether the same came back from both."""
        one, other = self.first.got, self.second.got
        return one is not None and other is not None and error(one.numbers, other.numbers) <= EXACT

    @property
    def should_differ(self) -> bool:
        """Whether the right results of both clearly differ."""
        is_telling = self.first.is_telling or self.second.is_telling
        return is_telling and clearly_differ(self.first.wanted, self.second.wanted)

    @property
    def should_be_same(self) -> bool:
        """Whether the right results of both are equal."""
        return error(self.first.wanted, self.second.wanted) <= EXACT


def proves(evidence: Evidence, pairs: Iterable[Pair]) -> bool:
    """Tell whether there is a pair for each of the results that the evidence is about."""
    return {pair.first.piece for pair in pairs} == {case.piece for case in evidence.cases}


def names(evidence: Evidence) -> list[str]:
    """Return all that any call was given, in the order in which it was."""
    return list(dict.fromkeys(name for case in evidence.returned for name in case.call.given))


def has(case: Case, name: str) -> bool:
    given = case.call.given.get(name)
    return given is not None and not given.is_missing


def changes_much(pair: Pair, name: str) -> bool:
    """Tell whether an argument is left out of one call, or is another in most of its entries.

    Of one that changes a little, a part might still be used.
    """
    if not has(pair.first, name) or not has(pair.second, name):
        return True
    one, other = (case.call.given[name].result for case in (pair.first, pair.second))
    if one is None or other is None:
        return False
    if one.raw.shape != other.raw.shape:
        return True
    return float((one.raw != other.raw).mean()) >= (0.25 if one.raw.dtype.kind == "b" else 0.5)


def all_arguments_differ(pair: Pair) -> bool:
    """Tell whether both calls have the same arguments, and every one is mostly another."""
    first, second = pair.first.call, pair.second.call
    return first.arguments == second.arguments and all(
        changes_much(pair, name) for name in first.arguments
    )


def may_be_wrong(case: Case) -> bool:
    return not case.call.is_comparable or not case.is_right


def steady(evidence: Evidence) -> list[Case]:
    """Return the results for which a right answer uses no random numbers."""
    return [case for case in evidence.returned if not case.call.is_random and case.got is not None]


def key_of(case: Case, without: str = "") -> Hashable:
    """Return all that a right result depends on, but for what is called `without`."""
    given = case.call.given.items()
    known = sorted((n, each.digest) for n, each in given if n != without and not each.is_missing)
    return (case.piece, case.call.function, case.call.identity, tuple(known))


def grouped(cases: Iterable[Case], key: Callable[[Case], Hashable]) -> dict[Hashable, list[Case]]:
    groups: dict[Hashable, list[Case]] = defaultdict(list)
    for case in cases:
        groups[key(case)].append(case)
    return groups


def pairs_in(groups: Iterable[list[Case]]) -> Iterator[Pair]:
    """Yield the first of each group with each other, up to `MAX_PAIRS`."""
    left = MAX_PAIRS
    for group in groups:
        for other in group[1 : left + 1]:
            left -= 1
            yield Pair(group[0], other)


def pairs_differing_in(evidence: Evidence, name: str) -> Iterator[Pair]:
    groups = grouped(steady(evidence), lambda case: (case.call.is_train, key_of(case, name)))
    for pair in pairs_in(groups.values()):
        if key_of(pair.first) != key_of(pair.second):
            yield pair


def equal_calls(evidence: Evidence) -> Iterator[Pair]:
    groups = grouped(
        steady(evidence), lambda case: (case.call.is_train, case.call.subject, key_of(case))
    )
    return pairs_in(groups.values())


def pairs_of_one_shape(evidence: Evidence) -> list[Pair]:
    groups = grouped(steady(evidence), lambda case: (case.piece, case.out.shape))
    return list(pairs_in(groups.values()))


def likeness(case: Case) -> Hashable:
    """Return what makes two calls alike: what they were given, but for broken numbers.

    Of arrays of those, arguments or weights, the shape counts alone.
    """
    known = [
        (name, str(_shape(each)).encode() if _is_broken(each) else each.digest)
        for name, each in case.call.given.items()
        if not each.is_missing
    ]
    return (case.piece, case.call.function, tuple(sorted(known)))


def _shape(given: Given) -> tuple[int, ...]:
    return given.result.raw.shape if given.result else ()


def _is_broken(given: Given) -> bool:
    return given.result is not None and given.result.raw.dtype.kind == "f"
