"""What a student's answer returned, beside what it should have, and words for what is seen there.

A `ResultCase` is one result of one call. An `Evidence` is all cases that a relation has to hold
for. A case is wrong, right, or can't be compared: random numbers were used for it, or its module
has weights that were drawn and never set. What students read is in `sentences.toml`.
"""

import tomllib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from autograder.diagnosis.agreement import are_numbers
from autograder.errors import within_sentence
from autograder.sandbox.wire import is_tensor
from autograder.testing.comparison import are_near

Numbers: TypeAlias = npt.NDArray[Any]

MAX_ENTRIES = 2**18  # of a value that is looked at
FEW = 4  # distinct entries that no mistake gives by chance
FEW_BOOLEANS = 12
MAX_COUNTED = 1000
LARGE = 100.0  # more than numbers are on average, unless there are huge ones among them
EXACT, LOOSE = 1e-5, 1e-4  # relative to a value's size; 1e-5 is what hidden tests allow for
TENSOR, ARRAY, LIST, NUMBER = "a tensor", "a NumPy array", "a list", "a plain number"
_SENTENCES = tomllib.loads(Path(__file__).with_name("sentences.toml").read_text("utf-8"))


@dataclass(frozen=True)
class TypedNumbers:
    """Numbers of any shape, and the words for what held them."""

    raw: Numbers  # with the dtype that came back
    container: str

    @cached_property
    def numbers(self) -> Numbers:
        """The entries as float64."""
        return self.raw.astype(np.float64)

    @property
    def type_words(self) -> str:
        """The container, and the dtype if it has one: "a tensor of dtype float32"."""
        has_dtype = self.container in (TENSOR, ARRAY)
        return f"{self.container} of dtype {self.raw.dtype}" if has_dtype else self.container

    @cached_property
    def is_telling(self) -> bool:
        """Whether it has enough distinct entries, non-integers among floats, to be evidence."""
        if self.raw.dtype.kind == "b":
            return self.raw.size >= FEW_BOOLEANS and 0 < self.raw.sum() < self.raw.size
        finite = self.numbers[np.isfinite(self.numbers)]
        return is_varied(finite[finite % 1 != 0] if self.raw.dtype.kind == "f" else finite)


def numbers_in(value: Any) -> TypedNumbers | None:
    """Return a value's numbers; None if it isn't real numbers, or too many of them."""
    container, raw = LIST, np.asarray(None)
    match value:
        case np.ndarray() | np.generic():
            container, raw = ARRAY, np.asarray(value)
        case bool() | int() | float():
            container, raw = NUMBER, np.asarray(value)
        case [first, *_] if not hasattr(first, "shape") and are_numbers(value, MAX_ENTRIES):
            with suppress(ValueError, OverflowError, TypeError):
                raw = np.asarray(value)
        case _ if is_tensor(value):
            container, raw = TENSOR, value.detach().numpy()
    is_real = raw.dtype.kind in "biuf" and raw.size <= MAX_ENTRIES
    return TypedNumbers(raw, container) if is_real else None


def is_varied(numbers: Numbers) -> bool:
    """Tell whether there are at least `FEW` distinct entries, among the first thousand."""
    return len(set(numbers.ravel()[:MAX_COUNTED].round(6).tolist())) >= FEW


def agree(one: Numbers, other: Numbers, allowed: float = EXACT) -> bool:
    """Tell whether two arrays have one shape, and all of their entries are near."""
    return one.shape == other.shape and bool(are_near(one, other, allowed).all())


def matches(one: Numbers, other: Numbers) -> bool:
    """Tell whether two arrays of float64 are equal but for rounding, however small they are."""
    if one.shape != other.shape or not (one.size or one.ndim):
        return False
    with np.errstate(invalid="ignore", over="ignore"):
        sizes = np.abs(other[np.isfinite(other)])
        ordinary = sizes.mean() if sizes.size else 1
        if ordinary > LARGE:  # some may stand for minus infinity: those don't excuse the others
            ordinary = np.median(sizes)
        near = np.abs(one - other) <= LOOSE * (np.abs(other) + ordinary)
        near &= np.isfinite(one) & np.isfinite(other)
    return bool((near | (one == other) | (np.isnan(one) & np.isnan(other))).all())


def clearly_differ(one: Numbers, other: Numbers) -> bool:
    """Tell whether two arrays differ by much more than rounding."""
    if one.shape != other.shape:
        return True
    with np.errstate(invalid="ignore", over="ignore"):
        is_far = np.abs(one - other) > 1e-3 * (np.abs(one) + np.abs(other))
    return bool(is_far.any()) and not agree(one, other, LOOSE)


@dataclass(frozen=True)
class Input:
    """What a call was given under one name: a digest of it, and its numbers if it has any.

    `shape` is that of its numbers, or of the first array in it.
    """

    digest: bytes
    value: TypedNumbers | None = None
    shape: tuple[int, ...] = ()

    @property
    def is_missing(self) -> bool:
        """Whether it is None, which is as good as nothing given."""
        return self.digest == b"None"


@dataclass(frozen=True)
class Call:
    """One call that should have returned numbers, or one that raised.

    `given` has what a right answer's result depends on, by the words for it: arguments, those that
    the module was made with, and weights that were loaded. `identity` isn't empty if there is more:
    weights that were drawn, or trained. `subject` tells functions and modules apart; `raised` means
    that nothing came back where something should have.
    """

    test: int
    passed: bool
    place: int  # among all calls of the test
    function: str  # or the class of the module that was called
    subject: tuple[object, ...] = ()
    identity: str = ""
    given: Mapping[str, Input] = field(default_factory=dict)
    arguments: tuple[str, ...] = ()  # those of `given` that were passed in this very call
    is_train: bool = False
    is_random: bool = False
    is_comparable: bool = True
    raised: bool = False


@dataclass(frozen=True)
class ResultCase:
    """One result of a call: what came back, and what should have; None is no numbers."""

    call: Call
    piece: str  # which of several results; "" if it is the only one
    got: TypedNumbers | None
    right: TypedNumbers | None

    @cached_property
    def is_right(self) -> bool:
        """Whether hidden tests take the result for right: its numbers, and their kind."""
        got, right = self.got, self.right
        if got is None or right is None or got.raw.dtype.kind != right.raw.dtype.kind:
            return False
        containers = {got.container, right.container}
        is_same_kind = len(containers) == 1 or (not right.raw.ndim and TENSOR not in containers)
        return is_same_kind and agree(got.numbers, right.numbers, self.allowed)

    @cached_property
    def is_nearly_right(self) -> bool:
        """Whether nothing but the last digits may be wrong: then no number is out of place."""
        return self.got is not None and matches(self.out, self.wanted)

    @property
    def kind(self) -> str:
        """The kind of the right result's dtype, as NumPy has it: "f" for floats, "b" for masks."""
        return self.right.raw.dtype.kind if self.right else ""

    @property
    def has_right_shape(self) -> bool:
        return self.got is not None and self.out.shape == self.wanted.shape

    @property
    def is_finite(self) -> bool:
        """Whether the result has the right shape, and all entries of both are finite."""
        return self.has_right_shape and bool(np.isfinite([self.out, self.wanted]).all())

    @property
    def allowed(self) -> float:
        """The error that is none; a test that passed may have allowed for more than others."""
        return LOOSE if self.call.passed else EXACT

    @property
    def is_telling(self) -> bool:
        """Whether the right result has enough different entries to be evidence."""
        return self.right is not None and self.right.is_telling

    @property
    def out(self) -> Numbers:
        assert self.got is not None
        return self.got.numbers

    @property
    def wanted(self) -> Numbers:
        assert self.right is not None
        return self.right.numbers

    @property
    def size(self) -> int:
        """The number of entries of the right result."""
        return self.right.raw.size if self.right else 0


@dataclass(frozen=True)
class Evidence:
    """All cases of an answer, or of one of its results; `failing` are the tests to explain."""

    subject: str  # words for what the cases are: "What you return"
    cases: tuple[ResultCase, ...]
    failing: frozenset[int]
    right: Sequence[str] = ()  # words for other results, which are right

    def says(self, sentence: str, **words: object) -> str:
        """Return a sentence about what is seen here, with `words` for what it leaves open.

        Of single numbers it is one of their own, where there is one.
        """
        if self.has_single_numbers and f"{sentence}_of_numbers" in _SENTENCES:
            sentence = f"{sentence}_of_numbers"
        for case in self.differing[:1]:
            words |= {"wanted": case.wanted.shape, "got": case.got and case.got.raw.shape}
        within = within_sentence(self.subject)
        said = str(_SENTENCES[sentence].format(subject=self.subject, within=within, **words))
        if not self.right:
            return said
        *others, last = map(within_sentence, self.right)
        right = f"{', '.join(others)} and {last} are" if others else f"{last} is"
        return f"{_SENTENCES['right_first'].format(right=right)} {said}"

    def along(self, axis: int) -> dict[str, str]:
        """Return words for an axis, counted from the end, and for one and several slices along it.

        That is of the right result that `says` tells the shape of.
        """
        ndim = self.differing[0].wanted.ndim
        if axis == -1 and ndim > 1:
            row = "column"
        elif axis == -ndim and ndim > 2:
            row = "entry of the batch"
        else:
            row = "row" if axis == -2 else "entry" if ndim == 1 else "slice"
        rows = row.replace("entry", "entries") if row.startswith("entry") else f"{row}s"
        return {"axis": axis_words(axis), "row": row, "rows": rows}

    @cached_property
    def differing(self) -> tuple[ResultCase, ...]:
        """The wrong results, smallest first; none if they don't explain every failing test."""
        return self.explaining(self._wrong)

    @cached_property
    def has_single_numbers(self) -> bool:
        """Whether all wrong results should be single numbers, and together are evidence."""
        wanted = [case.wanted for case in self.differing if case.right and case.kind in "iuf"]
        if not wanted or len(wanted) < len(self.differing) or any(each.ndim for each in wanted):
            return False
        return is_varied(np.array([each for each in wanted if np.isfinite(each) and each]))

    @cached_property
    def agreeing(self) -> tuple[ResultCase, ...]:
        return tuple(case for case in self.compared if case.is_right)

    @cached_property
    def failures(self) -> tuple[ResultCase, ...]:
        """The wrong results, and the calls that raised, if something did come back somewhere."""
        found = (*self._wrong, *self.raised)
        return found if self._wrong and self._are_in_all_failing(found) else ()

    @cached_property
    def returned(self) -> tuple[ResultCase, ...]:
        """The cases in which something came back, compared or not."""
        return tuple(case for case in self.cases if not case.call.raised and case.right)

    @cached_property
    def compared(self) -> tuple[ResultCase, ...]:
        """Those of them that can be compared."""
        return tuple(case for case in self.returned if case.call.is_comparable)

    @cached_property
    def raised(self) -> tuple[ResultCase, ...]:
        """The calls of failing tests that raised where a right answer doesn't."""
        return tuple(c for c in self.cases if c.call.raised and c.call.test in self.failing)

    @cached_property
    def _wrong(self) -> tuple[ResultCase, ...]:
        wrong = (case for case in self.compared if not case.is_right)
        return tuple(sorted(wrong, key=lambda case: case.size))

    @property
    def is_right(self) -> bool:
        """Whether no result is wrong, and every failing test has one that is telling."""
        tests = {case.call.test for case in self.agreeing if case.is_telling}
        return bool(tests) and self.failing <= tests and not self._wrong

    def explaining(self, cases: tuple[ResultCase, ...]) -> tuple[ResultCase, ...]:
        """Return `cases` if every failing test has one, and no call of these raised an error.

        Else none: a relation between numbers might be true, but it wouldn't explain the error.
        """
        return cases if self._are_in_all_failing(cases) and not self.raised else ()

    def _are_in_all_failing(self, cases: tuple[ResultCase, ...]) -> bool:
        return self.failing <= {case.call.test for case in cases}

    def holds(
        self, relation: Callable[[ResultCase], bool | None], *, of_numbers: bool = False
    ) -> bool:
        """Tell whether a relation holds in all wrong results, one of which is telling.

        It must not fail in a right result, where it therefore changes nothing. `relation` returns
        None where it doesn't apply: for a wrong result that isn't enough, for a right one it is.
        `of_numbers`: whether it says something of a single number, if there are several of them.
        """
        is_telling = any(case.is_telling for case in self.differing)
        return (
            (is_telling or (of_numbers and self.has_single_numbers))
            and all(case.got is not None and relation(case) for case in self.differing)
            and all(relation(case) is not False for case in self.agreeing)
        )

    def gives(self, made: Callable[[ResultCase], Sequence[Numbers] | None]) -> bool:
        """Tell whether each wrong result is one of those `made` of the right one, which vary."""

        def relation(case: ResultCase) -> bool | None:
            expected = made(case)
            return None if expected is None else any(matches(case.out, x) for x in expected)

        return self.holds(relation) and any(
            is_varied(x) for case in self.differing for x in (made(case) or ())[:1]
        )


_ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth")


def ordinal(place: int) -> str:
    """Return the word for a place, counted from 0, or from −1 at the end: 0 → "first"."""
    index = -place - 1 if place < 0 else place
    word = _ORDINALS[index] if index < len(_ORDINALS) else f"{index + 1}th"
    return ("last" if place == -1 else f"{word}-to-last") if place < 0 else word


def axis_words(axis: int) -> str:
    """Return the name of an axis: −1 → "last axis"."""
    return f"{ordinal(axis)} axis"


def arrays(case: ResultCase) -> list[TypedNumbers]:
    given = (case.call.given[name].value for name in case.call.arguments)
    return [value for value in given if value is not None and value.raw.ndim]


def largest(case: ResultCase) -> float:
    """Return the largest size of a number in the arrays that a call was passed."""
    sizes = (np.abs(value.numbers[np.isfinite(value.numbers)]) for value in arrays(case))
    return max((float(each.max()) for each in sizes if each.size), default=0.0)


def lengths(case: ResultCase, names: Iterable[str]) -> dict[tuple[str, int], int]:
    """Return the length of each axis of what a call was given under `names`, by name and axis."""
    given = case.call.given
    return {(name, axis): n for name in names for axis, n in from_the_end(given[name].shape)}


def from_the_end(shape: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return each axis of a shape, counted from the end, with its length; the last axis first."""
    return [(axis, shape[axis]) for axis in range(-1, -len(shape) - 1, -1)]


def length_words(name: str, axis: int) -> str:
    """Return words for the length of an axis of what is called `name`."""
    return f"the length of the {axis_words(axis)} of {name}"
