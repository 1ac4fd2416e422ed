"""A call repeats another only if nothing in between can have changed the answer.

Two values have the same digest just if the same bytes are sent for them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from autograder.diagnosis.calls import Calls, digest_of
from autograder.sandbox import wire
from autograder.sandbox.host.callbacks import Model
from autograder.sandbox.host.in_process import InProcess
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


def test_equal_calls_of_a_module_are_twins() -> None:
    assert between(lambda _, module: None) == 1


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
        lambda _, module: module.train(),
        lambda _, module: (module.eval(), module.train()),
        lambda student, _: student.Net().eval(),
        lambda student, _: load(student, student.Net()),
    ],
    ids=["same mode", "back in the mode", "another module's mode", "another module"],
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


def test_a_module_is_in_train_mode_until_it_is_told_otherwise() -> None:
    def ask(student: Student) -> None:
        module = student.Net()
        module(X)
        module.eval()
        module(X)
        module.train()
        module(X)

    assert calls_of(ask).in_train[1::2] == (True, False, True)


TABLE = np.arange(6.0).reshape(2, 3)
VALUES: dict[str, Any] = {
    "none": None,
    "the word None": "None",
    "true": True,
    "one": 1,
    "one as a float": 1.0,
    "minus zero": -0.0,
    "zero": 0.0,
    "not a number": float("nan"),
    "list": [1, 2],
    "tuple": (1, 2),
    "list in a list": [[1], 2],
    "list of two": [[1, 2]],
    "stream": wire.Stream([1, 2]),
    "dict": {"a": 1, "b": 2},
    "dict of other names": {"a": 1, "c": 2},
    "dict in another order": {"b": 2, "a": 1},
    "array": TABLE,
    "equal array": TABLE.copy(),
    "array with its axes exchanged": TABLE.T,
    "the same in a row": TABLE.T.copy(),
    "array of another shape": TABLE.reshape(3, 2),
    "array of another dtype": TABLE.astype(np.float32),
    "array with another number": TABLE + np.eye(2, 3),
    "whole numbers": TABLE.astype(int),
    "booleans": TABLE > 2,
    "half precision": TABLE.astype(np.float16),
    "nothing": np.zeros((0, 3)),
    "nothing of another shape": np.zeros((3, 0)),
    "array of one": np.array(2.0),
    "scalar": np.float64(2.0),
    "tensor": torch.from_numpy(TABLE),
    "tensor that learns": torch.from_numpy(TABLE).requires_grad_(),
    "brain floats": torch.ones(2, dtype=torch.bfloat16),
    "other brain floats": torch.zeros(2, dtype=torch.bfloat16),
    "tensor of one": torch.tensor(2.0),
    "two arrays": [TABLE[0], TABLE[1]],
    "two arrays the other way round": [TABLE[1], TABLE[0]],
    "module": wire.Handle("0", "Linear"),
    "another module": wire.Handle("1", "Linear"),
    "lent model": Model(len, key="0", type_name="Linear"),
    "anything else": object(),
    "anything else again": object(),
    "a set": {1},
    "what came back as an object": wire.Opaque("object"),
    "what came back as a set": wire.Opaque("set"),
}


@pytest.mark.parametrize("one", VALUES)
def test_values_have_the_same_digest_just_if_they_are_sent_alike(one: str) -> None:
    first = VALUES[one]
    for other, second in VALUES.items():
        are_alike = wire.pack({"value": first}) == wire.pack({"value": second})
        assert (digest_of(first) == digest_of(second)) is are_alike, other
        assert (digest_of([1, {"x": first}]) == digest_of([1, {"x": second}])) is are_alike, other


def test_what_came_before_is_part_of_a_digest() -> None:
    assert digest_of(TABLE, b"a") == digest_of(TABLE, b"a")
    assert len({digest_of(TABLE), digest_of(TABLE, b"a"), digest_of(TABLE, b"b")}) == 3
