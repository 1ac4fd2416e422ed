"""What a hidden test is written with: marks, and checks.

Checks fail with a sentence for the student and never reveal an expected value.
"""

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from autograder.report import TINY, Outcome
from autograder.sandbox.wire import Opaque, Stream
from autograder.testing.failures import StudentFailure, StudentRaised
from autograder.testing.student import ModuleProxy


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


stream = Stream  # an argument that the student's code receives as an iterator


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


def describe(value: Any) -> str:
    """Describe the type and shape of a value that a student's code returned; never its entries.

    >>> describe(np.zeros((3, 4)))
    'a NumPy array of shape (3, 4)'
    """
    if value is None:
        return "None (is a `return` missing?)"
    if isinstance(value, Opaque):
        return f"an object of type {value.type_name}"
    if isinstance(value, ModuleProxy):
        return f"a module of type {value.target.type_name}"
    if isinstance(value, np.ndarray):
        return f"a NumPy array of shape {value.shape}"
    if hasattr(value, "detach"):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, (tuple, list, dict)):
        return f"a {type(value).__name__} of length {len(value)}"
    return f"a single {type(value).__name__}"


class expect:  # noqa: N801 - a namespace that reads as a verb: expect.close(…)
    """Checks that fail with a sentence for the student."""

    @staticmethod
    def array(
        value: Any, shape: tuple[int, ...], kind: str = "NumPy array", says: str = ""
    ) -> None:
        """Require an array (`kind` "tensor": a tensor) of real numbers of `shape`.

        `says` is appended to the message about a wrong shape.
        """
        if kind == "tensor" and hasattr(value, "detach"):
            is_real = not value.is_complex()
        elif kind != "tensor" and isinstance(value, (np.ndarray, np.generic)):
            is_real = value.dtype.kind != "c"
        else:
            raise AssertionError(
                f"A {kind} should be returned here, but you return {describe(value)}."
            )
        assert is_real, "Your numbers are complex, but real numbers are expected here."
        assert tuple(value.shape) == shape, (
            f"The shape should be {shape} here, but yours is {tuple(value.shape)}. {says}".strip()
        )

    @staticmethod
    def that(condition: bool, says: str, reveals: str = "") -> None:
        """Require `condition`, else say `says`.

        `reveals` is the tag of a misconception in the exercise's bank that is true of everything
        that fails this check. It is named where results can't be compared with known mistakes,
        because parameters of the student's own are drawn in them.
        """
        if not condition:
            raise Revealing(reveals, says) if reveals else AssertionError(says)

    @staticmethod
    def close(
        actual: Any, expected: Any, says: str, tolerance: float = 1e-5, *, reveals: str = ""
    ) -> None:
        """Require |actual − expected| ≤ tolerance · max(1, |expected|) everywhere, else say `says`.

        `actual` must have the type (array or tensor) and the shape of `expected`; a plain number
        is compared with every entry. Infinite entries must be equal. `reveals` is as in `that`; a
        wrong type or shape and nan reveal nothing.
        """
        is_number = isinstance(expected, (int, float))
        is_tensor = hasattr(actual if is_number else expected, "detach")
        shape = tuple(getattr(actual, "shape", ()) if is_number else np.shape(expected))
        expect.array(actual, shape, "tensor" if is_tensor else "NumPy array", says)
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
        expect.that(bool(are_near(values, wanted, tolerance).all()), says, reveals)

    @staticmethod
    def pair(value: Any, first: str, second: str) -> tuple[Any, Any]:
        assert isinstance(value, (tuple, list)) and len(value) == 2, (
            f"Return two results, `({first}, {second})`: you return {describe(value)}."
        )
        return value[0], value[1]

    @staticmethod
    def partial_credit(fraction: float, says: str) -> None:
        """Require `fraction` ≥ 1; less earns that fraction of the points, rounded down."""
        if not fraction >= 1 - TINY:
            raise PartlyRight(max(0.0, fraction), says)

    @staticmethod
    @contextlib.contextmanager
    def memory(says: str) -> Iterator[None]:
        """Fail with `says` if the student's code needs more memory than is available."""
        try:
            yield
        except StudentFailure as failure:
            if failure.outcome is Outcome.MEMORY:
                failure.args = (says,)
            raise

    @staticmethod
    @contextlib.contextmanager
    def raises(type_name: str, says: str) -> Iterator[None]:
        """Require that the student's code raises `type_name`, else fail with `says`."""
        try:
            yield
        except StudentRaised as error:
            if "NotImplementedError" in error.bases:
                raise
            assert type_name in error.bases, f"{says} You raise {error.type_name}."
        else:
            raise AssertionError(says)


def are_near(one: Any, other: Any, allowed: float) -> npt.NDArray[np.bool_]:
    """Tell of each entry of two equal shapes whether |one − other| ≤ allowed·max(1, |other|).

    Equal infinities are near each other, and so are nans.
    """
    with np.errstate(invalid="ignore", over="ignore"):
        near = np.abs(one - other) <= allowed * np.maximum(1, np.abs(other))
    near = near & np.isfinite(other)
    return np.asarray(near | (one == other) | (np.isnan(one) & np.isnan(other)))
