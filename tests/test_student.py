"""A student's namespace is called from outside, with plain data only."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from autograder.sandbox.wire import Opaque
from autograder.student import InProcess, Student, StudentRaised, one_line

MODULE = """
import torch
from torch import nn

class Affine(nn.Module):
    def __init__(self, d_in, d_out=2):
        super().__init__()
        self.first = nn.Linear(d_in, d_out)
        self.same = self.first
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(self.first(x))
"""


def student_of(*sources: str) -> Student:
    return Student(InProcess(sources))


@pytest.fixture(scope="module")
def torch_student() -> Student:
    return student_of(MODULE)


def test_a_function_is_called_with_arguments_by_place_and_by_name() -> None:
    student = student_of("def f(x, *, by): return x * by, [x.shape]")
    product, shapes = student.f(np.ones((2, 3)), by=3)
    assert np.array_equal(product, np.full((2, 3), 3.0))
    assert shapes == [(2, 3)]


def test_what_a_student_returns_is_data_and_never_the_students_object() -> None:
    student = student_of(
        "class Yes:\n    def __eq__(self, other): return True\ndef f(): return Yes()"
    )
    assert student.f() == Opaque("Yes")
    assert student.f() != 1


def test_a_change_of_the_inputs_is_noticed_and_the_callers_array_is_safe() -> None:
    student = student_of("def f(x): x += 1; return x", "def g(x): return x + 1")
    x = np.zeros(3)
    student.f(x)
    assert student.inputs_changed
    assert np.array_equal(x, np.zeros(3))
    student.g(x)
    assert not student.inputs_changed


def test_an_exception_arrives_with_its_name_place_and_text() -> None:
    student = student_of("def f(x):\n    y = x + 1\n    return y.nothing")
    with pytest.raises(StudentRaised, match="`f` raised AttributeError in line 3 of its cell"):
        student.f(np.zeros(1))


def test_a_name_that_is_missing_is_named() -> None:
    with pytest.raises(StudentRaised, match="name 'f' is not defined"):
        student_of("g = 1").f()


def test_random_numbers_differ_from_call_to_call_and_not_from_run_to_run() -> None:
    source = "import numpy as np\ndef f(): return np.random.rand()"
    first, second = student_of(source), student_of(source)
    draws = [first.f(), first.f()]
    assert draws[0] != draws[1]
    assert draws == [second.f(), second.f()]


def test_a_module_is_loaded_by_name_and_run_from_outside(torch_student: Student) -> None:
    affine, here = torch_student.Affine(3), torch.nn.Linear(3, 2)
    affine.load({f"first.{name}": value for name, value in here.state_dict().items()})
    affine.eval()
    x = torch.ones(4, 3)
    assert torch.equal(affine(x), here(x).detach())
    assert affine.parameters() == {"first.weight": (2, 3), "first.bias": (2,)}


def test_an_alias_can_be_loaded_too(torch_student: Student) -> None:
    affine = torch_student.Affine(3)
    affine.load({"same.weight": torch.zeros(2, 3), "first.bias": torch.tensor([1.0, 2.0])})
    affine.eval()
    assert torch.equal(affine(torch.ones(1, 3)), torch.tensor([[1.0, 2.0]]))


def test_train_mode_and_eval_mode_differ(torch_student: Student) -> None:
    affine = torch_student.Affine(3, d_out=50)
    x = torch.ones(1, 3)
    affine.train()
    assert (affine(x) == 0).any()
    affine.eval()
    assert not (affine(x) == 0).any()


def test_gradients_come_back_by_name(torch_student: Student) -> None:
    affine = torch_student.Affine(3)
    affine.eval()
    gradients = affine.gradients(torch.ones(4, 3), cotangent=torch.tensor([1.0, 0.0]))
    assert torch.equal(gradients["first.bias"], torch.tensor([4.0, 0.0]))


@pytest.mark.parametrize(
    ("name", "shape", "sentence"),
    [
        ("second.weight", (2, 3), "`Affine`: has no `second`"),
        ("first.scale", (2, 3), r"has no `first\.scale`"),
        ("first.weight", (3, 2), r"`first\.weight` has shape \(2, 3\), not \(3, 2\)"),
        ("drop", (1,), "`drop` is a Dropout, not a parameter"),
    ],
)
def test_a_parameter_that_is_missing_or_odd_is_named(
    torch_student: Student, name: str, shape: tuple[int, ...], sentence: str
) -> None:
    with pytest.raises(StudentRaised, match=sentence):
        torch_student.Affine(3).load({name: torch.zeros(shape)})


def test_one_line_is_one_line_of_bounded_length() -> None:
    assert one_line("a\n  b\tc") == "a b c"
    assert one_line("x" * 300) == "x" * 199 + "…"
