"""Hidden tests are written with these: each kind of mistake has its own sentence."""

from typing import Any

import numpy as np
import pytest
import torch

from autograder.report import Outcome
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.wire import Opaque
from autograder.testing import describe, expect
from autograder.testing.expect import PartlyRight, Revealing
from autograder.testing.failures import StudentRaised
from autograder.testing.student import Student

EXPECTED = np.array([[0.0, 1.0], [2000.0, -np.inf]])


def close(actual: Any, expected: Any = EXPECTED) -> None:
    expect.close(actual, expected, "Not what it should be.")


@pytest.mark.parametrize(
    "actual",
    [EXPECTED.astype(np.float32), EXPECTED + 5e-6, EXPECTED * (1 + 5e-6)],
    ids=["float32", "absolute", "relative"],
)
def test_what_is_near_enough_is_close(actual: Any) -> None:
    close(actual)


@pytest.mark.parametrize(
    ("actual", "sentence"),
    [
        (EXPECTED + 2e-5, "Not what it should be."),
        (EXPECTED * 1.0001, "Not what it should be."),
        (np.where(np.isinf(EXPECTED), np.inf, EXPECTED), "Not what it should be."),
        (np.where(np.isinf(EXPECTED), -1e30, EXPECTED), "Not what it should be."),
        (np.where(EXPECTED == 0, np.nan, EXPECTED), "result contains nan"),
        (EXPECTED[0], r"shape should be \(2, 2\) here, but yours is \(2,\)"),
        (EXPECTED + 0j, "complex"),
        (
            EXPECTED.tolist(),
            "NumPy array should be returned here, but you return a list of length 2",
        ),
        (torch.tensor(EXPECTED), "you return a tensor of shape"),
        (None, r"you return None \(is a `return` missing\?\)"),
        (Opaque("Softmax"), "an object of type Softmax"),
        (1.5, "a single float"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_not_close_fails_with_the_sentence_for_its_kind(actual: Any, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        close(actual)


def test_a_tensor_is_compared_with_a_tensor() -> None:
    close(torch.ones(2, 3), torch.ones(2, 3))
    with pytest.raises(AssertionError, match="A tensor should be returned here"):
        close(np.ones((2, 3)), torch.ones(2, 3))


def test_a_number_stands_for_an_array_of_it() -> None:
    close(np.ones((2, 3)), 1)
    with pytest.raises(AssertionError, match="Not what it should be"):
        close(torch.tensor([1.0, 2.0]), 1)


@pytest.mark.parametrize("value", [(1, 2), [1, 2]])
def test_a_pair_is_a_tuple_or_a_list_of_two(value: Any) -> None:
    assert expect.pair(value, "weights", "context") == (1, 2)


@pytest.mark.parametrize(
    "value", [None, (1,), (1, 2, 3), np.ones(2), {"a": 1, "b": 2}], ids=describe
)
def test_what_is_no_pair_is_described(value: Any) -> None:
    with pytest.raises(AssertionError, match=r"`\(weights, context\)`"):
        expect.pair(value, "weights", "context")


class TestRaises:
    student = Student(
        InProcess(
            [
                "class Odd(ValueError): pass",
                "def odd(): raise Odd('no')",
                "def stub(): raise NotImplementedError()",
                "def calm(): pass",
            ]
        )
    )

    def test_the_type_or_one_derived_from_it_will_do(self) -> None:
        with expect.raises("ValueError", "Raise ValueError."):
            self.student.odd()

    def test_another_type_is_named(self) -> None:
        with (
            pytest.raises(AssertionError, match=r"Raise KeyError\. You raise Odd\."),
            expect.raises("KeyError", "Raise KeyError."),
        ):
            self.student.odd()

    def test_returning_is_not_raising(self) -> None:
        with (
            pytest.raises(AssertionError, match="Raise ValueError"),
            expect.raises("ValueError", "Raise ValueError."),
        ):
            self.student.calm()

    def test_a_stub_does_not_count_as_raising(self) -> None:
        with pytest.raises(StudentRaised), expect.raises("RuntimeError", "Raise RuntimeError."):
            self.student.stub()


class TestMemory:
    def greedy(self, raised: str) -> None:
        student = Student(InProcess([f"def f():\n    raise {raised}"]))
        with expect.memory("Your memory grows too fast."):
            student.f()

    def test_lack_of_memory_is_told_in_the_words_of_the_test(self) -> None:
        with pytest.raises(StudentRaised, match=r"^Your memory grows too fast\.$") as raised:
            self.greedy("MemoryError('7 TiB')")
        assert raised.value.outcome is Outcome.MEMORY

    def test_other_errors_keep_their_words(self) -> None:
        with pytest.raises(StudentRaised, match="KeyError"):
            self.greedy("KeyError('a')")


@pytest.mark.parametrize(("fraction", "earned"), [(0.25, 0.25), (-1, 0), (float("nan"), 0)])
def test_a_fraction_below_one_fails_with_what_it_earns(fraction: float, earned: float) -> None:
    with pytest.raises(PartlyRight, match=r"^Not all\.$") as raised:
        expect.partial_credit(fraction, "Not all.")
    assert raised.value.fraction == earned


def test_a_whole_passes() -> None:
    expect.partial_credit(sum([0.1] * 10), "Not all.")  # which is less than 1


def test_a_check_may_reveal_which_misconception_is_behind_its_failure() -> None:
    with pytest.raises(Revealing, match=r"^Wrong\.$") as raised:
        expect.that(False, "Wrong.", reveals="off-by-one")
    assert raised.value.tag == "off-by-one"
    with pytest.raises(Revealing):
        expect.close(np.ones(2), np.zeros(2), "Wrong.", reveals="off-by-one")
    expect.that(True, "Wrong.", reveals="off-by-one")


@pytest.mark.parametrize("value", [np.ones(3), np.full(2, np.nan), "text"], ids=str)
def test_a_wrong_shape_type_or_nan_reveals_nothing(value: object) -> None:
    with pytest.raises(AssertionError) as raised:
        expect.close(value, np.zeros(2), "Wrong.", reveals="off-by-one")
    assert not isinstance(raised.value, Revealing)
