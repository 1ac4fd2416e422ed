"""Which two known mistakes may both be in an answer, as far as each of them alone tells.

In an entry where only one of two mistakes has an effect, an answer with both has what that one
gives; where neither has, what is right. Most pairs are ruled out so by the replies of single
mistakes, and only what is left is made and replayed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, combinations, islice
from typing import Any

import numpy as np
import numpy.typing as npt

from autograder.diagnosis.agreement import TOLERANCE, has_numbers, leaves, structure_of
from autograder.diagnosis.calls import Calls
from autograder.diagnosis.case import Finding
from autograder.diagnosis.suspect import Suspect
from autograder.testing.comparison import are_near

MAX_CALLS = 24  # that are looked at
MAX_BYTES = 400 << 10  # of the requests of tests that are looked at
MAX_ENTRIES = 100  # of an array, that are looked at
BY_CHANCE = 0.5  # how much speaks against what is drawn at random where nothing need be
_Bools = npt.NDArray[np.bool_]
_Shares = npt.NDArray[np.float64]


def likely_pairs(
    tests: Sequence[Finding], right: Suspect, single: Mapping[str, Suspect], most: int
) -> list[tuple[str, str]]:
    """Return pairs of tags that few calls speak against, or that explain most of what is wrong.

    Of the tests that failed the first call that went wrong is looked at: one of the two has to
    have an effect there. Then the calls of the smallest of all `tests` are. After each one, `most`
    pairs, the likeliest so far, are left, and those that are as likely. By turns, such a pair
    comes that the fewest of all calls speak against, one that the fewest of the failures do, and
    one that gives, each mistake by itself, the most of the wrong entries: where a mistake shows
    only because of the other, some call speaks against a true pair.
    """
    tags, suspects = list(single), list(single.values())
    if len(tags) < 2:
        return []
    left = list(combinations(range(len(tags)), 2))
    against, given = np.zeros((2, len(tags), len(tags)))
    failures = dict.fromkeys(_failures(tests, right))
    by_failures = against
    for calls, place in failures | dict.fromkeys(islice(_places(tests), MAX_CALLS)):
        numbers = sorted({number for pair in left for number in pair})
        possible = [suspects[number] for number in numbers]
        both = np.ix_(numbers, numbers)
        speaks_against, explains = _compared(calls, place, right, possible)
        against[both] += speaks_against
        given[both] += explains
        if len(left) > most:
            likeliest = against - given
            worst = sorted(likeliest[pair] for pair in left)[most - 1]
            left = [pair for pair in left if likeliest[pair] <= worst]
        if (calls, place) in failures:
            by_failures = against.copy()
    left.sort(key=against.__getitem__)
    rankings = (sorted(left, key=each.__getitem__) for each in (against, by_failures, -given))
    by_turns = chain.from_iterable(zip(*rankings, strict=True))
    return [(tags[i], tags[j]) for i, j in dict.fromkeys(by_turns)]


def _places(tests: Iterable[Finding]) -> Iterator[tuple[Calls, int]]:
    size = 0
    for calls in sorted((test.calls for test in tests), key=lambda calls: calls.size):
        size += calls.size
        if size > MAX_BYTES:
            return
        yield from ((calls, place) for place in calls.places)


def _failures(tests: Iterable[Finding], right: Suspect) -> list[tuple[Calls, int]]:
    """Return of each failed test the first call to which the reply isn't the right one, if any.

    Those come first that the fewest calls come before.
    """
    found = list[tuple[Calls, int]]()
    for calls in (test.calls for test in tests if not test.passed):
        first = (place for place in calls.places if not right.agrees(calls, place))
        found += ((calls, place) for place in islice(first, 1))
    return sorted(found, key=lambda failure: failure[1])


def _compared(
    calls: Calls, place: int, right: Suspect, suspects: Sequence[Suspect]
) -> tuple[_Shares, _Shares]:
    """Tell of each two suspects how much the reply at `place` speaks against both, from 0 to 1.

    Tell also what share of its wrong entries one of the two gives by itself.
    Of what is drawn at random little can be told, but where equal calls gave different results,
    something is drawn, and where they gave equal ones, nothing is.
    """
    known = [suspect.reply(calls, place) for suspect in suspects]
    rights, theirs = right.reply(calls, place), calls.exchanges[place].reply
    by_chance = np.array([reply.used_random for reply in known])
    expected, got = _Sample(right.in_words_of(theirs, rights.message)), _Sample(theirs)
    told = [s.in_words_of(theirs, reply.message) for s, reply in zip(suspects, known, strict=True)]
    kinds = {}  # most mistakes have no effect on most calls
    for each in {id(message): message for message in told}.values():
        sample = _Sample(each)
        kinds[id(each)] = sample.compared(expected, expected), sample.compared(got, expected)
    right_fits = expected.compared(got, expected)
    none, fits = (np.stack([kinds[id(each)][n] for each in told]) for n in (0, 1))
    alone = (~none & ~fits).astype("f4")
    free = none.astype("f4")
    contradicts = alone @ free.T + free @ alone.T + (free * ~right_fits) @ free.T
    if right_fits[0]:  # two mistakes that each change the structure hardly restore it together
        contradicts += np.outer(~none[:, 0], ~none[:, 0])
    is_drawn = bool(calls.inconsistent[place]) and not rights.used_random
    is_steady = calls.inconsistent[place] is False
    doubt = 0.0 if is_drawn or rights.used_random else BY_CHANCE
    either, both = by_chance[:, None] | by_chance, by_chance[:, None] & by_chance
    unlikely = np.where(both & is_steady, 1.0, doubt)
    against = np.where(either, unlikely, is_drawn | (contradicts > 0))
    unexplained = (~fits & ~right_fits).astype("f4")
    wrong = np.count_nonzero(~right_fits)
    return against, (wrong - unexplained @ unexplained.T) / max(wrong, 1)


class _Sample:
    """Some entries of a reply, spread over all its arrays."""

    def __init__(self, reply: Mapping[str, Any]) -> None:
        self._structure = structure_of(reply)
        arrays = (np.ravel(each) for each in leaves(reply.get("value")) if has_numbers(each))
        with np.errstate(all="ignore"):  # long doubles may be too large
            parts = [x[:: len(x) // MAX_ENTRIES + 1].real.astype(float) for x in arrays]
        self._entries = np.concatenate([np.zeros(0), *parts])

    def compared(self, other: _Sample, right: _Sample) -> _Bools:
        """Tell whether two replies have the same structure, then of each entry whether it agrees.

        There are as many entries as in the right reply. Those of another structure are taken as
        equal where both replies have it, or else as different: so are texts in place of numbers.
        """
        number = len(right._entries)
        if self._structure != other._structure or len(self._entries) != len(other._entries):
            return np.zeros(1 + number, dtype=bool)
        if len(self._entries) != number or self._structure != right._structure:
            return np.ones(1 + number, dtype=bool)
        return np.concatenate([[True], are_near(self._entries, other._entries, TOLERANCE)])
