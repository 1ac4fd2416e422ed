"""Examples that students write before the code: an input, and a function that says what must hold.

A student's function returns a list of pairs `(input, holds)`. What right and wrong implementations
make of an input is computed on our side, where the student's code never is; `holds` is asked about
it in the student's own process. An exercise of this kind has no right result to compare with, so
its tests are `open_ended`.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograder.sandbox import wire
from autograder.sandbox.host.in_process import InProcess
from autograder.testing import expect
from autograder.testing.comparison import describe
from autograder.testing.failures import StudentFailure, StudentRaised
from autograder.testing.student import Function, ObjectProxy, Student

Implementation = Callable[[Any], Any]  # raises StudentRaised where it breaks off


def implementation(*sources: str) -> Student:
    """Return what trusted `sources` define, to be called as a student's functions are.

    So arguments are never changed, results are plain data, and errors are `StudentRaised`. Raises
    `CourseError` if a source raises.
    """
    return Student(InProcess(sources))


@dataclass(frozen=True)
class Example:
    """One example: the student's `input`, and the function that says what must hold.

    `name` begins a sentence, such as "Example 2".
    """

    name: str
    input: Any
    _holds: Function

    def accepts(self, result: Any) -> bool:
        """Ask the student's function about a result.

        Raises `AssertionError` if it answers with anything but True or False.
        """
        answer = self._holds(result)
        is_array = isinstance(answer, np.ndarray) or wire.is_tensor(answer)
        values = np.asarray(answer) if is_array else answer
        if is_array and values.dtype == bool and values.shape == ():
            return bool(values)
        returns = f"the function should return True or False, but it returns {describe(answer)}."
        assert not is_array, (
            f"{self.name}: {returns} Must all of its entries hold, or is one enough? `.all()` and "
            "`.any()` say which."
        )
        assert isinstance(answer, (bool, np.bool_)), f"{self.name}: {returns}"
        return bool(answer)

    def which_pass(
        self,
        right: Sequence[Implementation],
        others: Sequence[Implementation],
        rng: np.random.Generator,
    ) -> tuple[list[bool], list[bool]]:
        """Tell which of the `right` implementations pass, and which of the `others`.

        They are tried in an order that is drawn: a function that counts its calls learns nothing.
        One of the others doesn't pass if it breaks off, or the student's function does on its
        result; on a right result, that raises `StudentRaised`.
        """
        passing = dict[int, bool]()
        for place in rng.permutation(len(right) + len(others)):
            is_right = place < len(right)
            try:
                call = right[place] if is_right else others[place - len(right)]
                passing[place] = self.accepts(call(self.input))
            except StudentRaised:
                if is_right:
                    raise
                passing[place] = False
        found = [passing[place] for place in sorted(passing)]
        return found[: len(right)], found[len(right) :]


def examples_of(function: Function, number: int) -> list[Example]:
    """Call a student's function; return the `number` examples that it returns.

    Raises `AssertionError` if it returns anything but a list of pairs of an input and a function.
    """
    name = function.called
    found = function()
    pair = "a pair `(input, function)`"
    assert isinstance(found, (list, tuple)), (
        f"`{name}` should return a list of {number} examples, each {pair}, but it returns "
        f"{describe(found)}."
    )
    assert len(found) == number, (
        f"`{name}` should return {number} examples, each {pair}, but it returns {len(found)}."
    )
    for place, each in enumerate(found, 1):
        assert isinstance(each, (list, tuple)) and len(each) == 2, (
            f"Example {place} should be {pair}, but it is {describe(each)}."
        )
        assert isinstance(each[1], wire.Opaque), (
            f"Example {place}: its second part should be a function that takes a result and says "
            f"whether it may be right, such as `lambda result: …`, but it is {describe(each[1])}."
        )
    made = function.returning("object")()
    return [_example(function, made, place) for place in range(number)]


def _example(function: Function, made: Any, place: int) -> Example:
    """Return the example at `place` of what a student's function made."""
    pair = _method(function, made, "__getitem__").returning("object")(place)
    given = _method(function, pair, "__getitem__")(0)
    holds = _method(function, pair, "__getitem__").returning("object")(1)
    return Example(f"Example {place + 1}", given, _method(function, holds, "__call__"))


def _method(function: Function, of: Any, name: str) -> Function:
    """Return a method of an object in the student's process; errors in it are the function's."""
    if not isinstance(of, ObjectProxy):
        raise StudentFailure(f"What came back from `{function.called}` can't be read.")
    asked = {"target": of.target, "name": name}
    return Function(function.student, function.called, "method", asked)


def expect_passed(
    examples: Sequence[Example],
    right: Sequence[Implementation],
    nonsense: Implementation,
    rng: np.random.Generator,
) -> None:
    """Require that all `right` implementations pass each example, and that `nonsense` fails one.

    What right ones return may differ by rounding, and by nothing else.
    """
    is_telling = False
    for example in examples:
        accepted, (is_fooled,) = example.which_pass(right, [nonsense], rng)
        assert any(accepted), (
            f"{example.name} rejects a right result. Work it out once more by hand: for the input "
            "that you chose, something that you say must hold doesn't."
        )
        assert all(accepted), (
            f"{example.name} accepts one right result and rejects another, which differs in the "
            "last digits alone. Computers round: what should be 1 may come out as "
            "0.9999999999999999. Compare by `np.allclose` or `torch.allclose` in place of `==`."
        )
        is_telling = is_telling or not is_fooled
    assert is_telling, (
        "Your examples accept any result, even nonsense. What must hold of a right one, and "
        "doesn't hold of just anything?"
    )


def expect_caught(
    examples: Sequence[Example],
    right: Sequence[Implementation],
    wrong: Sequence[Implementation],
    what: str,
    rng: np.random.Generator,
) -> None:
    """Require that each `wrong` implementation fails an example; fewer earn a share of the points.

    An example that a `right` one fails says nothing, and isn't counted. A student reads how many
    are caught, of `what` ("wrong softmaxes"), and by which example: never which they are.
    """
    catches = []
    for example in examples:
        accepted, let_through = example.which_pass(right, wrong, rng)
        caught = {number for number, passes in enumerate(let_through) if not passes}
        catches.append(caught if all(accepted) else set[int]())
    total = len(set[int]().union(*catches))
    each = ", ".join(
        f"{example.name} catches {len(found)}"
        for example, found in zip(examples, catches, strict=True)
    )
    expect.partial_credit(
        total / len(wrong),
        f"Your examples catch {total} of {len(wrong)} {what}: {each}. Each of the others is what "
        "somebody believed. On which input would such a belief show, and what must hold there?",
    )
