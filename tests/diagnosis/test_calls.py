"""A call repeats another only if nothing in between can have changed the answer."""

from collections.abc import Callable

import numpy as np
import pytest
import torch

from autograder.diagnosis.calls import Calls
from autograder.diagnosis.memory import KnownReply
from autograder.sandbox import wire
from autograder.sandbox.host.in_process import InProcess
from autograder.testing import create
from autograder.testing.student import ModuleProxy, Student

MODULE = """
import torch

class Net(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = torch.nn.Linear(2, 2)

    def forward(self, x):
        return self.inner(x)

def train(module):
    return 1

def twice(x):
    return 2 * x
"""
X = torch.ones(1, 2)


def calls_of(ask: Callable[[Student], object]) -> Calls:
    student = Student(InProcess([MODULE]))
    ask(student)
    return Calls.of(student._exchanges)


def between(act: Callable[[Student, ModuleProxy], object]) -> int | None:
    """Return which call the last of two equal ones repeats, when something is done in between."""

    def ask(student: Student) -> None:
        module = student.Net()
        module(X)
        act(student, module)
        module(X)

    return calls_of(ask).repeat_of[-1]


def load(_: Student, module: ModuleProxy) -> None:
    module.load({"inner.bias": torch.zeros(2)})


@pytest.mark.parametrize(
    "act",
    [
        lambda _, module: module.eval(),
        load,
        lambda student, module: student.train(module),
    ],
    ids=["mode", "load", "trained"],
)
def test_calls_in_two_modes_or_of_changed_parameters_are_no_twins(
    act: Callable[[Student, ModuleProxy], object],
) -> None:
    assert between(act) is None


@pytest.mark.parametrize(
    "act",
    [
        lambda _, module: None,
        lambda _, module: module.train(),
        lambda _, module: (module.eval(), module.train()),
        lambda student, _: student.Net().eval(),
        lambda student, _: load(student, student.Net()),
    ],
    ids=["nothing", "same mode", "back in the mode", "another module's mode", "another module"],
)
def test_what_changes_nothing_leaves_twins(
    act: Callable[[Student, ModuleProxy], object],
) -> None:
    assert between(act) == 1


def test_equal_calls_of_a_function_are_twins() -> None:
    def ask(student: Student) -> None:
        for x in (1, 2, 1):
            student.twice(np.full(3, x))

    assert calls_of(ask).repeat_of == (None, None, 0)


def test_equal_methods_of_an_object_are_no_twins_since_it_may_have_changed() -> None:
    stack = "class Stack(list):\n    pass\n"
    student = Student(InProcess([stack]))
    made = create(student.Stack, [1, 2])
    assert (made.pop(), made.pop()) == (2, 1)
    assert Calls.of(student._exchanges).repeat_of == (None, None, None)


def test_a_history_is_of_a_call_and_of_all_before_it() -> None:
    def histories(*inputs: object) -> tuple[bytes, ...]:
        return calls_of(lambda student: [student.twice(x) for x in inputs]).histories

    once, again = histories(1, np.ones(2)), histories(1, np.ones(2))
    assert once == again
    assert histories(1, np.ones(2, "f"))[0] == once[0]
    others = [histories(1, other)[1] for other in (np.ones(2, "f"), [1.0, 1.0], np.ones((2, 1)))]
    assert len({*once, *others, histories(True, np.ones(2))[1]}) == 6


def test_a_second_name_in_a_state_says_nothing_of_a_mistake() -> None:
    """A layer with two names is set by either; what both states have is compared."""
    student = Student(InProcess([MODULE.replace("self.inner =", "self.again = self.inner =")]))
    student.Net().state()
    calls = Calls.of(student._exchanges)
    values = calls.exchanges[-1].reply["value"]
    once = {name: value for name, value in values.items() if name.startswith("inner")}
    assert len(values) == 2 * len(once)

    def agrees(known: dict[str, torch.Tensor]) -> bool:
        frame = wire.pack({**calls.exchanges[-1].reply, "value": known})
        return calls.agrees(1, KnownReply(frame, used_random=False))

    assert agrees(once)
    assert not agrees({**once, "inner.bias": torch.full((2,), 7.0)})


def test_one_more_parameter_says_nothing_of_a_mistake_and_a_missing_one_does() -> None:
    """A table may be frozen among the parameters; one that is trained shows in the gradients."""
    student = Student(InProcess([MODULE]))
    student.Net().parameters()
    calls = Calls.of(student._exchanges)
    shapes = calls.exchanges[-1].reply["value"]

    def agrees(known: dict[str, tuple[int, ...]]) -> bool:
        frame = wire.pack({**calls.exchanges[-1].reply, "value": known})
        return calls.agrees(1, KnownReply(frame, used_random=False))

    assert agrees({"inner.weight": shapes["inner.weight"]})
    assert not agrees({**shapes, "table": (5, 2)})
    assert not agrees({**shapes, "inner.weight": (2, 3)})


def test_a_layer_too_many_may_have_any_name() -> None:
    """Nobody asked for it, so its shape alone tells which one it is."""
    student = Student(InProcess([MODULE.replace("self.inner =", "self.mine = self.inner =")]))
    student.Net().parameters()
    calls = Calls.of(student._exchanges)
    shapes = calls.exchanges[-1].reply["value"]
    mine = {name: shape for name, shape in shapes.items() if name.startswith("mine")}

    def agrees(known: dict[str, tuple[int, ...]]) -> bool:
        frame = wire.pack({**calls.exchanges[-1].reply, "value": known})
        return calls.agrees(1, KnownReply(frame, used_random=False))

    assert mine
    assert agrees({name.replace("mine", "theirs"): shape for name, shape in mine.items()})
    assert not agrees({"theirs.weight": (5, 2), "theirs.bias": mine["mine.bias"]})
