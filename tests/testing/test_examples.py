"""Examples of a student's are tried on implementations of ours, and what they say is counted."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.sandbox import wire
from autograder.sandbox.host.in_process import InProcess
from autograder.testing import Example, examples_of, expect_caught, expect_passed, implementation
from autograder.testing.expect import PartlyRight
from autograder.testing.failures import StudentFailure, StudentRaised
from autograder.testing.student import Student

SETUP = "import numpy as np"
RNG = np.random.default_rng(0)
RIGHT: list[Callable[[Any], Any]] = [
    lambda x: x / x.sum(),
    lambda x: x * (1 / x.sum()),
]  # 49 · (1 / 49) isn't quite 1
WRONG: list[Callable[[Any], Any]] = [
    lambda x: x,
    lambda x: np.full_like(x, 1 / x.size),
    implementation(SETUP, "def f(x):\n    return (x / x.sum())[:, None][:3, 0] + 0 * x[2]").f,
]


def examples(*pairs: str, number: int | None = None) -> list[Example]:
    """Return the examples of a student who writes these pairs."""
    source = f"def f():\n    return [{', '.join(pairs)}]"
    student = Student(InProcess([SETUP, source]))
    return examples_of(student.f, len(pairs) if number is None else number)


def told(check: Callable[..., object], *arguments: Any) -> str:
    with pytest.raises(AssertionError) as caught:
        check(*arguments)
    return str(caught.value)


SUMS = "(np.array([1., 2, 4, 5]), lambda r: np.isclose(r.sum(), 1))"
FIRST = "(np.array([1., 2, 7]), lambda r: np.allclose(r[0], 0.1))"
SHORT = "(np.array([2., 2]), lambda r: r.shape == (2,) and (abs(r - 0.5) < 1e-6).all())"


def test_examples_that_right_ones_pass_and_all_wrong_ones_fail_pass() -> None:
    found = examples(SUMS, FIRST, SHORT)
    expect_passed(found, RIGHT, np.zeros_like, RNG)
    expect_caught(found, RIGHT, WRONG, "wrong shares", RNG)


def test_fewer_are_counted_by_example_and_earn_a_share() -> None:
    with pytest.raises(PartlyRight) as caught:
        expect_caught(examples(SHORT, SUMS), RIGHT, WRONG[:2], "wrong shares", RNG)
    assert caught.value.fraction == 1 / 2
    said = "Your examples catch 1 of 2 wrong shares: Example 1 catches 1, Example 2 catches 1."
    assert str(caught.value).startswith(said)


@pytest.mark.parametrize(
    ("holds", "says"),
    [
        ("False", "Example 2 rejects a right result."),
        ("(r == [1, 0, 0]).all()", "Example 2 accepts one right result and rejects another"),
        ("None", "Example 2: the function should return True or False, but it returns None"),
        ("1", "returns a single int."),
        ("r > 0", "returns a NumPy array of shape (3,). Must all of its entries hold"),
        ("np.array(0.5)", "returns a NumPy array of shape ()"),
    ],
)
def test_what_is_said_wrongly_of_a_right_result_is_told(holds: str, says: str) -> None:
    found = examples(SHORT, f"(np.array([49., 0, 0]), lambda r: {holds})")
    assert says in told(expect_passed, found, RIGHT, np.zeros_like, RNG)


@pytest.mark.parametrize("holds", ["False", "(r == [1, 0, 0]).all()"])
def test_an_example_that_rejects_a_right_result_catches_nothing(holds: str) -> None:
    found = examples(f"(np.array([49., 0, 0]), lambda r: {holds})", SHORT)
    said = told(expect_caught, found, RIGHT, WRONG, "wrong ones", RNG)
    assert "Example 1 catches 0, Example 2 catches 2." in said


@pytest.mark.parametrize("truth", ["True", "np.bool_(True)", "np.array(True)", "np.True_"])
def test_true_may_be_any_kind_of_true(truth: str) -> None:
    (example,) = examples(f"(0, lambda r: {truth} if r == 1 else {truth} & False)")
    assert example.accepts(1)
    assert not example.accepts(2)


def test_examples_that_accept_nonsense_say_nothing() -> None:
    found = examples("(np.ones(2), lambda r: True)", "(np.ones(3), lambda r: (r < 2).all())")
    said = told(expect_passed, found, RIGHT, np.zeros_like, RNG)
    assert said.startswith("Your examples accept any result, even nonsense.")


def test_a_function_that_breaks_off_rejects_a_wrong_result_and_is_told_of_a_right_one() -> None:
    (example,) = examples("(np.ones(2), lambda r: r[1] / 1 == 0.5)")
    assert example.which_pass(RIGHT, [lambda x: x[:1]], RNG) == ([True, True], [False])
    found = examples("(np.ones(2), lambda r: r[2] == 0.5)")
    with pytest.raises(StudentRaised, match=r"`f` raised IndexError"):
        expect_passed(found, RIGHT, np.zeros_like, RNG)
    with pytest.raises(StudentRaised, match=r"`f` raised IndexError"):
        expect_caught(found, RIGHT, WRONG, "wrong ones", RNG)


@pytest.mark.parametrize(
    ("source", "says"),
    [
        ("None", "`f` should return a list of 2 examples, each a pair `(input, function)`, but"),
        ("(pair for pair in [])", "but it returns a generator (made by"),
        (
            "[(1, print)]",
            "`f` should return 2 examples, each a pair `(input, function)`, but it ret",
        ),
        (
            "[(1, print), 2]",
            "Example 2 should be a pair `(input, function)`, but it is a single int",
        ),
        ("[(1, print), (1, print, 3)]", "but it is a tuple of length 3."),
        ("[(1, True), (1, print)]", "Example 1: its second part should be a function"),
    ],
)
def test_anything_but_pairs_of_an_input_and_a_function_is_described(source: str, says: str) -> None:
    student = Student(InProcess([f"def f():\n    return {source}"]))
    assert says in told(examples_of, student.f, 2)


def test_a_tuple_of_examples_is_as_good_as_a_list() -> None:
    student = Student(InProcess(["def f():\n    return ((1, print), (2, print))"]))
    assert len(examples_of(student.f, 2)) == 2


def test_an_input_that_is_drawn_belongs_to_the_function_that_knows_it() -> None:
    source = "def f():\n    x = np.random.random(3)\n    return [(x, lambda r: (r == x).all())]"
    (example,) = examples_of(Student(InProcess([SETUP, source])).f, 1)
    assert example.accepts(example.input)


class Forged:
    """A channel to a process whose first reply is honest, and whose others are what it likes."""

    spent = 0.0

    def __init__(self, *values: Any) -> None:
        self.values = list(values)

    def ask(self, request: Any, seconds: float | None = None) -> dict[str, Any]:
        return {"value": self.values.pop(0) if self.values else None, "output": ""}


def test_what_no_honest_process_replies_is_told() -> None:
    honest = [(1, wire.Opaque("function"))]
    for values in ([honest], [honest, 3], [honest, wire.Object("0", "list"), [1, 2]]):
        with pytest.raises(StudentFailure, match="What came back from `f` can't be read"):
            examples_of(Student(Forged(*values)).f, 1)


def test_a_function_that_counts_its_calls_learns_nothing_of_what_is_right() -> None:
    counting = "def f():\n    calls = []\n    def holds(result):\n        calls.append(1)\n"
    counting += "        return len(calls) <= 2\n    return [(np.ones(3), holds)]"
    passed = 0
    for seed in range(20):
        found = examples_of(Student(InProcess([SETUP, counting])).f, 1)
        accepted, _ = found[0].which_pass(RIGHT, WRONG, np.random.default_rng(seed))
        passed += all(accepted)
    assert passed < 10


def test_an_argument_is_never_changed_by_an_implementation() -> None:
    x = np.ones(2)
    f = implementation("def f(x):\n    x += 1\n    return x").f
    assert f(x).tolist() == [2, 2]
    assert x.tolist() == [1, 1]
