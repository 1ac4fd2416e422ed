"""What a hidden test is written with: marks, and checks.

Checks fail with a sentence for the student and never reveal an expected value.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from autograder.report import TINY, Outcome
from autograder.sandbox import wire
from autograder.testing.comparison import are_near, describe, is_equal, oddity
from autograder.testing.failures import StudentFailure, StudentRaised


def points(number: int, idea: str = "") -> pytest.MarkDecorator:
    """Mark a hidden test as worth `number` whole points, for an `idea` in words for students.

    Several tests may belong to one idea. `IDEAS_OF_exercise` in a notebook's prose becomes the
    table of an exercise's ideas and their points.
    """
    if not isinstance(number, int) or number < 1:
        raise TypeError("@points(n) takes a whole number above 0")
    return pytest.mark.points(number, idea)


def forbids(*names: str) -> pytest.MarkDecorator:
    """Make the built-ins with these dotted names raise during a test's calls."""
    return pytest.mark.forbids(*names)


def seconds(number: float) -> pytest.MarkDecorator:
    """Mark a hidden test as slow: all its calls together may take `number` seconds.

    Its calls are not replayed against known misconceptions: each replay would take as long.
    """
    return pytest.mark.seconds(number)


# Marks hidden tests of an exercise that everybody may answer differently: no results are compared
# with those of a right answer or a known mistake. Write `pytestmark = open_ended`.
open_ended = pytest.mark.open_ended

# Marks a hidden test that runs only once the student's due date has passed: until then, its points
# aren't decided, and nobody can try answers on it.
after_deadline = pytest.mark.after_deadline

stream = wire.Stream  # an argument that the student's code receives as an iterator


# What calls of something that is missing, or takes other arguments, raise by themselves.
_OF_CALLS = frozenset({"AttributeError", "NameError", "TypeError"})


class PartlyRight(AssertionError):
    """The check holds in part; `fraction` of the test's points is earned."""

    def __init__(self, fraction: float, says: str) -> None:
        super().__init__(says)
        self.fraction = fraction


class Revealing(AssertionError):
    """A check that failed, and the misconception `tag` that this alone is enough to name."""

    def __init__(self, tag: str, says: str) -> None:
        super().__init__(says)
        self.tag = tag


def array(value: Any, shape: tuple[int, ...], kind: str = "NumPy array", says: str = "") -> None:
    """Require an array (`kind` "tensor": a tensor) of real numbers of `shape`.

    `says` is appended to the message about a wrong shape.
    """
    if kind == "tensor" and wire.is_tensor(value):
        is_real = not value.is_complex()
    elif kind != "tensor" and isinstance(value, (np.ndarray, np.generic)):
        assert value.dtype.kind in "biufc", f"Numbers are expected here, not {value.dtype}."
        is_real = value.dtype.kind != "c"
    else:
        raise AssertionError(f"A {kind} should be returned here, but you return {describe(value)}.")
    assert is_real, "Your numbers are complex, but real numbers are expected here."
    assert tuple(value.shape) == shape, (
        f"The shape should be {shape} here, but yours is {tuple(value.shape)}. {says}".strip()
    )


def that(condition: bool, says: str, reveals: str = "") -> None:
    """Require `condition`, else say `says`.

    `reveals` is the tag of a misconception in the exercise's bank that is true of everything
    that fails this check. It is named where results can't be compared with known mistakes,
    because parameters of the student's own are drawn in them.
    """
    if not condition:
        raise Revealing(reveals, says) if reveals else AssertionError(says)


def close(
    actual: Any, expected: Any, says: str, tolerance: float = 1e-5, *, reveals: str = ""
) -> None:
    """Require |actual − expected| ≤ tolerance · max(1, |expected|) everywhere, else say `says`.

    `actual` must have the type (array or tensor) and the shape of `expected`; a plain number
    is compared with every entry. Infinite entries must be equal. `reveals` is as in `that`; a
    wrong type or shape and nan reveal nothing.
    """
    is_number = isinstance(expected, (int, float))
    kind = "tensor" if wire.is_tensor(actual if is_number else expected) else "NumPy array"
    shape = tuple(getattr(actual, "shape", ()) if is_number else np.shape(expected))
    if not (is_number and type(actual) in (int, float)):
        array(actual, shape, kind, says)
    values = np.asarray(actual, dtype=np.float64)
    wanted = np.asarray(expected, dtype=np.float64)
    with np.errstate(invalid="ignore"):
        gaps = np.abs(values - wanted)
    if (gaps <= tolerance).all():  # the usual case, of which there may be millions
        return
    assert not np.isnan(values).any(), (
        "Your result contains nan, which is what ∞ − ∞, 0 · ∞ and 0 / 0 give, and roots and "
        f"logarithms of negative numbers. Which line has the first one? {says}"
    )
    that(bool(are_near(values, wanted, tolerance).all()), says, reveals)


def equal(
    actual: Any, expected: Any, says: str, tolerance: float = 1e-5, *, reveals: str = ""
) -> None:
    """Require a value of any kind, and all that it holds, to be as `expected`, else say `says`.

    A wrong type, size or label and what isn't finite are named first. Numbers are compared as
    by `close`; whole and decimal ones may be equal. `reveals` is as in `that`.
    """
    # as what is compared with it has come
    expected = wire.unpack(wire.pack({"value": expected}))["value"]
    odd = oddity(actual, expected)
    assert not odd, f"{odd} {says}"
    that(is_equal(actual, expected, tolerance), says, reveals)


def pair(value: Any, first: str, second: str) -> tuple[Any, Any]:
    assert isinstance(value, (tuple, list)) and len(value) == 2, (
        f"Return two results, `({first}, {second})`: you return {describe(value)}."
    )
    return value[0], value[1]


def partial_credit(fraction: float, says: str) -> None:
    """Require `fraction` ≥ 1; less earns that fraction of the points, rounded down."""
    if not fraction >= 1 - TINY:
        raise PartlyRight(max(0.0, fraction), says)


@contextlib.contextmanager
def memory(says: str) -> Iterator[None]:
    """Fail with `says` if the student's code needs more memory than is available."""
    try:
        yield
    except StudentFailure as failure:
        if failure.outcome is Outcome.MEMORY:
            failure.args = (says,)
        raise


@contextlib.contextmanager
def raises(error: str | type[Exception], says: str) -> Iterator[None]:
    """Require that the student's code raises `error`, else fail with `says`.

    One about a name or arguments doesn't do if no line of that code has run before it.
    """
    wanted = error if isinstance(error, str) else error.__name__
    try:
        yield
    except StudentRaised as raised:
        is_ours = not raised.function and raised.type_name in _OF_CALLS
        if is_ours or "NotImplementedError" in raised.bases:
            raise
        assert wanted in raised.bases, f"{says} You raise {raised.type_name}."
    else:
        raise AssertionError(says)
