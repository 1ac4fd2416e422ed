"""Checks that fail with a sentence for the student, and never tell an expected value."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograder.report import Outcome
from autograder.sandbox.wire import Opaque
from autograder.testing.failures import StudentFailure, StudentRaised
from autograder.testing.student import ModuleProxy


class PartlyRight(AssertionError):
    """What is checked holds in part, and earns that part of the points."""

    def __init__(self, fraction: float, says: str) -> None:
        super().__init__(says)
        self.fraction = fraction


def describe(value: Any) -> str:
    """Say in words what kind of thing a student's code returned; never its values.

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
    if _is_tensor(value):
        return f"a tensor of shape {tuple(value.shape)}"
    if isinstance(value, (tuple, list, dict)):
        return f"a {type(value).__name__} of {len(value)}"
    return f"a single {type(value).__name__}"


class expect:  # noqa: N801 - a namespace that reads as a verb: expect.close(…)
    """Checks that fail with a sentence for the student."""

    @staticmethod
    def array(
        value: Any, shape: tuple[int, ...], kind: str = "NumPy array", says: str = ""
    ) -> None:
        """Require an array (`kind` "tensor": a tensor) of real numbers of `shape`.

        `says` is added to what is said of a wrong shape.
        """
        if kind == "tensor" and _is_tensor(value):
            numbers = not value.is_complex()
        elif kind != "tensor" and isinstance(value, (np.ndarray, np.generic)):
            numbers = value.dtype.kind != "c"
        else:
            raise AssertionError(
                f"A {kind} should come back here, but you return {describe(value)}."
            )
        assert numbers, "Your numbers are complex, where real ones should come back."
        assert tuple(value.shape) == shape, (
            f"The shape should be {shape} here, but yours is {tuple(value.shape)}. {says}".strip()
        )

    @staticmethod
    def close(actual: Any, expected: Any, says: str, tolerance: float = 1e-5) -> None:
        """Require |actual − expected| ≤ tolerance · max(1, |expected|) everywhere, else say `says`.

        `actual` has to be of the kind and shape of `expected`; a plain number stands for an
        array of that number. Infinite entries have to be equal.
        """
        if isinstance(expected, (int, float)):
            expected = _filled_like(actual, expected)
        kind = "tensor" if _is_tensor(expected) else "NumPy array"
        expect.array(actual, tuple(np.shape(expected)), kind, says)
        values = np.asarray(actual, dtype=np.float64)
        wanted = np.asarray(expected, dtype=np.float64)
        assert not np.isnan(values).any(), (
            "There is nan in your result. It comes from ∞ − ∞, 0 · ∞ or 0 / 0: "
            f"look at what you exponentiate and divide by. {says}"
        )
        with np.errstate(invalid="ignore"):
            near = np.abs(values - wanted) <= tolerance * np.maximum(1, np.abs(wanted))
        near &= np.isfinite(values) & np.isfinite(wanted)
        assert (near | (values == wanted)).all(), says

    @staticmethod
    def pair(value: Any, first: str, second: str) -> tuple[Any, Any]:
        """Require two results; return them."""
        assert isinstance(value, (tuple, list)) and len(value) == 2, (
            f"Return two results, `({first}, {second})`: what came back is {describe(value)}."
        )
        return value[0], value[1]

    @staticmethod
    def partial_credit(fraction: float, says: str) -> None:
        """Require `fraction` ≥ 1; a smaller one earns that part of the points, rounded down."""
        if not fraction >= 1:
            raise PartlyRight(max(0.0, fraction), says)

    @staticmethod
    @contextlib.contextmanager
    def memory(says: str) -> Iterator[None]:
        """Say `says` where the student's code needs more memory than there is."""
        try:
            yield
        except StudentFailure as failure:
            if failure.outcome is Outcome.MEMORY:
                failure.args = (says,)
            raise

    @staticmethod
    @contextlib.contextmanager
    def raises(type_name: str, says: str) -> Iterator[None]:
        """Require that the student's code raises `type_name`, else say `says`."""
        try:
            yield
        except StudentRaised as error:
            if "NotImplementedError" in error.bases:
                raise
            assert type_name in error.bases, f"{says} You raise {error.type_name}."
        else:
            raise AssertionError(says)


def _is_tensor(value: Any) -> bool:
    torch = sys.modules.get("torch")  # nothing is a tensor where torch was never imported
    return torch is not None and isinstance(value, torch.Tensor)


def _filled_like(actual: Any, number: float) -> Any:
    if _is_tensor(actual):
        return actual.new_full(actual.shape, number)
    return np.full(np.shape(actual) if isinstance(actual, (np.ndarray, np.generic)) else (), number)
