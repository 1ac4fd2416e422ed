"""What a call makes besides plain data is asked for by name, and read by its form alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from autograder.errors import CourseError
from autograder.sandbox import wire
from autograder.sandbox.host.in_process import InProcess
from autograder.testing import create, describe, expect, figure, file, files, printed
from autograder.testing.failures import StudentFailure, StudentRaised
from autograder.testing.student import OwnGenerator, Student

ACCOUNT = """
class Account:
    def __init__(self, balance=0):
        self.amount = balance
    def pay_in(self, amount):
        if amount <= 0:
            raise ValueError(amount)
        self.amount += amount
    def balance(self):
        return self.amount
    def move(self, other, amount):
        self.pay_in(-amount) if amount < 0 else other.pay_in(amount)
    def copy(self):
        return Account(self.amount)
    def show(self):
        print(self.amount)
    def __len__(self):
        return 3
    def __str__(self):
        return "an account"
    def __eq__(self, other):
        return True
def account():
    return Account()
"""


@pytest.fixture
def student() -> Student:
    return Student(InProcess([ACCOUNT]))


class Forged:
    """A channel to a process that replies what it likes."""

    spent = 0.0

    def __init__(self, value: Any) -> None:
        self.value = value

    def ask(self, request: Any, seconds: float | None = None) -> dict[str, Any]:
        return {"value": self.value, "output": ""}


def test_two_objects_keep_their_own_state_and_may_meet(student: Student) -> None:
    one, other = create(student.Account, 5), create(student.Account, balance=1)
    one.pay_in(2)
    one.move(other, 10)
    again = create(one.copy)
    one.pay_in(1)
    assert [each.balance() for each in (one, other, again)] == [8, 11, 7]
    assert (len(one), str(one), printed(one.show)) == (3, "an account", "8")
    assert describe(one) == "an object of type Account"


def test_a_method_that_raises_is_called_by_its_name(student: Student) -> None:
    with pytest.raises(StudentRaised, match=r"`Account`, line 7, failed when `Account.pay_in` was"):
        create(student.Account).pay_in(-1)
    with expect.raises(ValueError, "Refuse what isn't positive."):
        create(student.Account).pay_in(0)


def test_an_object_that_no_test_asked_for_is_only_its_types_name(student: Student) -> None:
    """Or else its own methods would be asked whether it is right."""
    assert student.account() == wire.Opaque("Account")
    assert student.account() != 3
    forged = Student(Forged(wire.Object("0", "Account")))
    assert forged.account() == wire.Opaque("Account")


def test_an_object_has_no_operators_that_would_send_what_it_is_compared_with(
    student: Student,
) -> None:
    made: Any = create(student.Account)
    asked = len(student._exchanges)
    assert made != 0
    operations: list[Callable[..., Any]] = [lambda: made + 1, lambda: made < 1, lambda: made[0]]
    for operation in operations:
        with pytest.raises(TypeError):
            operation()
    assert len(student._exchanges) == asked


def test_an_error_of_the_call_itself_is_not_the_one_that_should_be_raised(student: Student) -> None:
    calls: dict[type[Exception], Callable[..., Any]] = {
        TypeError: lambda: student.account(1),
        NameError: lambda: student.acount(),
        AttributeError: lambda: create(student.Account).pay_out(1),
    }
    for error, call in calls.items():
        with pytest.raises(StudentRaised, match=error.__name__), expect.raises(error, "Raise it."):
            call()


def test_what_a_function_of_a_library_raises_is_raised_by_an_answer_that_is_one() -> None:
    student = Student(InProcess(["import math\nroot = math.sqrt"]))
    with expect.raises("ValueError", "A negative number has no root."):
        student.root(-1)


@pytest.mark.parametrize(
    ("asked", "value"),
    [
        (create, 3),
        (printed, None),
        (files, [("a", "b")]),
        (files, {"a": 1}),
        (files, {1: "a"}),
        (figure, {}),
        (figure, [{"title": ""}]),
        (figure, [wire.Opaque("Axes")]),
    ],
    ids=lambda given: getattr(given, "__name__", str(given)),
)
def test_a_reply_of_another_form_is_refused(asked: Any, value: Any) -> None:
    with pytest.raises(StudentFailure, match="What came back from `f` can't be read"):
        asked(Student(Forged(value)).f)


@pytest.mark.parametrize(
    "change",
    [{"title": 1}, {"legend": [1]}, {"lines": [{}]}, {"lines": {"x": 1}}, {"more": ""}],
    ids=str,
)
def test_axes_of_another_form_are_refused(change: dict[str, Any]) -> None:
    empty = np.zeros(0)
    line = {"label": "", "x": empty, "y": empty, "widths": empty}
    axes = {"title": "", "xlabel": "", "ylabel": "", "legend": [], "ticks": []}
    whole = {**axes, "lines": [line], "bars": [], "points": []}
    (drawn,) = figure(Student(Forged([whole])).f)
    assert drawn.lines[0].label == ""
    for part in (whole | change, whole | {"lines": [line | {"x": np.zeros(2)}]}):
        with pytest.raises(StudentFailure):
            figure(Student(Forged([part])).f)


def test_a_generator_arrives_as_it_is_and_the_tests_own_is_not_sent() -> None:
    student = Student(InProcess(["def draw(rng): return rng.random(3)"]))
    drawn = student.draw(np.random.default_rng(3))
    assert np.array_equal(drawn, np.random.default_rng(3).random(3))
    assert not student.inputs_changed
    with pytest.raises(CourseError, match=r"pass np\.random\.default_rng"):
        student.draw(OwnGenerator(np.random.PCG64(3)))


def test_the_authors_slips_are_told_in_a_sentence(student: Student) -> None:
    with pytest.raises(CourseError, match="give one without a folder"):
        file("", "../out.txt")
    with pytest.raises(CourseError, match=r"as in printed\(student.report, rows\)"):
        printed(student.account())
