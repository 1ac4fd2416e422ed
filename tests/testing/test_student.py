"""A student's namespace is called from outside, with plain data only."""

import sys

import numpy as np
import pytest
import torch

from autograder.errors import CourseError
from autograder.report import Outcome
from autograder.sandbox.host.in_process import InProcess
from autograder.sandbox.wire import Opaque
from autograder.testing import Model, stream
from autograder.testing.failures import StudentFailure, StudentRaised, one_line
from autograder.testing.student import Student

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


def test_a_change_of_the_inputs_in_any_call_is_noticed_and_the_callers_array_is_safe() -> None:
    student = student_of("def f(x): x += 1; return x", "def g(x): return x + 1")
    x = np.zeros(3)
    flags = []
    for call in (student.g, student.f, student.g):
        call(x)
        flags.append(student.inputs_changed)
    assert flags == [False, True, True]
    assert np.array_equal(x, np.zeros(3))


def test_random_numbers_differ_from_call_to_call_and_not_from_run_to_run() -> None:
    source = "import numpy as np\ndef f(): return np.random.rand()"
    first, second = student_of(source), student_of(source)
    draws = [first.f(), first.f()]
    assert draws[0] != draws[1]
    assert draws == [second.f(), second.f()]


def test_a_module_is_loaded_by_any_of_its_names_and_run_in_both_modes(
    torch_student: Student,
) -> None:
    affine, here = torch_student.Affine(3, d_out=50), torch.nn.Linear(3, 50)
    affine.load({"same.weight": here.weight, "first.bias": here.bias})
    affine.eval()
    x = torch.ones(4, 3)
    assert torch.equal(affine(x), here(x).detach())
    affine.train()
    assert (affine(x) == 0).any()
    assert affine.parameters() == {"first.weight": (50, 3), "first.bias": (50,)}


@pytest.mark.parametrize(
    ("name", "shape", "sentence"),
    [
        ("second.weight", (2, 3), "^`Affine` has no `second`: name it as the exercise says.$"),
        ("first.scale", (2, 3), r"^`Affine` has no `first\.scale`: name it"),
        ("first.weight", (3, 2), r"^In `Affine`, `first\.weight` has shape \(2, 3\), not \(3, 2\)"),
        ("drop", (1,), "^In `Affine`, `drop` is a Dropout, not a parameter"),
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


TRAINED = """
def step(module, batches, by):
    for x in batches:
        module(x).sum().backward()
    for value in module.parameters():
        value.data -= by * value.grad
    return len(list(batches))
"""


def test_a_module_can_be_an_argument_and_is_changed_by_what_gets_it() -> None:
    student = student_of(MODULE, TRAINED)
    affine = student.Affine(3)
    affine.eval()
    before = affine.state()
    student.step(affine, [torch.ones(2, 3), torch.ones(1, 3)], by=1.0)
    assert torch.equal(affine.state()["first.bias"], before["first.bias"] - 3)


def test_a_stream_is_given_out_once() -> None:
    student = student_of(MODULE, TRAINED)
    assert student.step(student.Affine(3), stream([torch.ones(2, 3)]), by=1.0) == 0
    assert student.step(student.Affine(3), [torch.ones(2, 3)], by=1.0) == 1


CALLED = "def f(model, x):\n    model.eval()\n    return model(x, by=x + 1)"


def test_a_model_stays_with_the_grader_and_is_called_from_there() -> None:
    asked: list[tuple[torch.Tensor, torch.Tensor]] = []

    def product(x: torch.Tensor, by: torch.Tensor) -> torch.Tensor:
        asked.append((x, by))
        return x * by

    model = Model(product)
    assert student_of(MODULE, CALLED).f(model, torch.tensor([2.0])) == torch.tensor([6.0])
    assert asked == [(torch.tensor([2.0]), torch.tensor([3.0]))]


@pytest.mark.parametrize("own_torch", [False, True])
def test_without_torch_in_the_notebook_a_lent_function_is_called_as_it_is(
    monkeypatch: pytest.MonkeyPatch, own_torch: bool
) -> None:
    """Also if the student imports torch, since the grader's file can't be read by then."""
    if own_torch:
        monkeypatch.setitem(sys.modules, "autograder.sandbox.guest.remote_module", None)
    else:
        monkeypatch.delitem(sys.modules, "torch")
    square = Model(lambda x: x**2)
    student = student_of("def f(function, x):\n    return function(x) + 1")
    assert student.f(square, 3.0) == 10.0
    assert np.array_equal(student.f(square, np.array([1.0, 2.0])), [2.0, 5.0])


@pytest.mark.parametrize("asked", ["5000", "np.zeros(3000)"])
def test_what_is_too_large_for_a_lent_function_is_told_with_the_bounds(asked: str) -> None:
    student = student_of(f"import numpy as np\ndef f(function): return function({asked})")
    with pytest.raises(StudentRaised, match=r"too large.* above 4,096.* longer than 2,048"):
        student.f(Model(lambda x: x))


def not_lent(x: float) -> float:
    return x


@pytest.mark.parametrize(("function", "called"), [(not_lent, "not_lent"), (np.cos, "cos")])
def test_a_function_that_is_not_lent_is_told_to_the_author(function: object, called: str) -> None:
    student = student_of("def f(function):\n    return 1")
    with pytest.raises(CourseError, match=rf"function {called} .* lend it as Model"):
        student.f(function)


def test_of_two_models_in_one_call_each_answers_for_itself() -> None:
    source = "def f(one, other, x):\n    return one(x), other(x)"
    add, scale = Model(lambda x: x + 1), Model(lambda x: x * 10)
    assert student_of(source).f(add, scale, torch.tensor([3.0])) == (4.0, 30.0)
    assert student_of(source).f(other=scale, one=add, x=torch.tensor([3.0])) == (4.0, 30.0)


def test_the_device_of_a_model_can_be_asked_for() -> None:
    source = "import torch\n\ndef f(model):\n    return str(next(model.parameters()).device)"
    assert student_of(source).f(Model(lambda x: x)) == "cpu"


def test_gradients_come_back_by_name_save_those_of_frozen_parameters() -> None:
    frozen = "def freeze(module):\n    module.first.bias.requires_grad_(False)"
    student = student_of(MODULE, frozen)
    affine, cotangent = student.Affine(3), torch.tensor([1.0, 0.0])
    affine.eval()
    before = affine.gradients(torch.ones(4, 3), cotangent=cotangent)
    assert torch.equal(before["first.bias"], torch.tensor([4.0, 0.0]))
    student.freeze(affine)
    after = affine.gradients(torch.ones(4, 3), cotangent=cotangent)
    assert before.keys() - after.keys() == {"first.bias"}


def test_what_a_model_refuses_is_raised_where_it_is_called() -> None:
    def refuse(x: torch.Tensor, by: torch.Tensor) -> None:
        raise AssertionError("Two are too many.")

    with pytest.raises(StudentRaised, match=r"RuntimeError.*Two are too many"):
        student_of(MODULE, CALLED).f(Model(refuse), torch.ones(1))
    with pytest.raises(StudentRaised, match="can't process these arguments"):
        student_of(MODULE, CALLED).f(Model(lambda x: x), torch.ones(1))


TWO = [
    "def early(x):\n    raise NotImplementedError()",
    "class Early:\n    def __init__(self, n):\n        raise NotImplementedError()",
    "def late(x):\n    return early(x) + 1\ndef later(x):\n    return Early(3)",
]


def failure_of(call: str, *sources: str) -> StudentRaised:
    with pytest.raises(StudentRaised) as caught:
        getattr(student_of(*sources), call)(np.array([0.25, -3.0, 1e-9]))
    return caught.value


def test_a_stub_is_not_attempted() -> None:
    failure = failure_of("early", *TWO)
    assert failure.outcome is Outcome.NOT_ATTEMPTED
    assert str(failure) == "`early` isn't written yet: it still raises NotImplementedError."


@pytest.mark.parametrize(("call", "stub"), [("late", "early"), ("later", "Early")])
def test_what_calls_a_stub_is_attempted_and_is_told_which_one_is_missing(
    call: str, stub: str
) -> None:
    failure = failure_of(call, *TWO)
    assert failure.outcome is Outcome.ERROR
    assert str(failure) == f"`{call}` calls `{stub}`, which isn't written yet."


def test_a_module_without_forward_is_attempted() -> None:
    student = student_of("import torch\nclass Net(torch.nn.Module):\n    pass")
    with pytest.raises(StudentRaised, match="missing the required") as caught:
        student.Net()(torch.ones(1))
    assert caught.value.outcome is Outcome.ERROR


@pytest.mark.parametrize("says", ["holds modules", "numbers of dtype Long"])
def test_where_pytorch_raises_what_a_stub_raises_the_answer_is_attempted(says: str) -> None:
    calls = {"holds modules": "nn.ModuleList()(1)", "numbers of dtype Long": "F.gelu(x)"}
    head = "import torch\nfrom torch import nn\nfrom torch.nn import functional as F\n"
    student = student_of(f"{head}def f(x):\n    return {calls[says]}")
    with pytest.raises(StudentRaised, match=says) as caught:
        student.f(torch.arange(3))
    assert caught.value.outcome is Outcome.ERROR


@pytest.mark.parametrize("said", ["x", "repr(x)", "x.tolist()", "x[0]", "str(x[2])", "-x"])
def test_an_error_shows_nothing_of_a_hidden_input(said: str) -> None:
    message = str(failure_of("f", f"def f(x): raise ValueError({said})"))
    assert "raised ValueError in line 1 of its cell" in message
    assert not any(digits in message for digits in ("25", "3", "1e", "09"))


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def f(x): return x @ x[:2]", "size 2 is different from 3"),
        ("def f(x): return x + x[:2]", "shapes (3,) (2,)"),
        ("def f(x): raise ValueError('Expected size 3. Got 2.')", "Expected size 3. Got 2."),
    ],
)
def test_an_error_keeps_its_shapes(source: str, said: str) -> None:
    assert said in str(failure_of("f", source))


def test_an_error_is_told_where_it_cannot_say_what_it_is_or_where_a_result_is_too_large() -> None:
    source = "class Odd(Exception):\n    def __str__(self): return None\ndef f(x): raise Odd()"
    assert "raised Odd in line 3" in str(failure_of("f", source))
    message = str(failure_of("f", "import numpy as np\ndef f(x): return np.zeros(10**7)"))
    assert message == "`f`: a value is too large to be sent."


@pytest.mark.parametrize(
    "spoil",
    ["self.first.weight = nn.Parameter(torch.ones(3, 1))", "del self.first.weight"],
    ids=["another shape", "gone"],
)
def test_a_parameter_that_was_loaded_keeps_its_shape_or_nothing_is_computed_with_it(
    spoil: str,
) -> None:
    source = MODULE.replace("return self.drop", f"{spoil}; return x.sum() or self.drop")
    model = student_of(source.replace("self.same = self.first", "pass")).Affine(3)
    model.load({"first.weight": torch.zeros(2, 3)})
    assert model.state()["first.weight"].shape == (2, 3)
    with pytest.raises(StudentRaised):
        model(torch.zeros(1, 3))
    with pytest.raises(StudentFailure, match=r"`first.weight` of a model had the shape \(2, 3\)"):
        model.state()


STUBBORN = (
    MODULE
    + """
    def train(self, mode=True):
        if not mode:
            raise ValueError("I stay as I am")
        return super().train(mode)
"""
)


def operations(student: Student) -> list[str]:
    return [exchange.request["op"] for exchange in student._exchanges]


def test_what_returns_nothing_goes_along_with_the_next_request() -> None:
    student = student_of(MODULE)
    affine = student.Affine(3)
    affine.load({"first.weight": torch.zeros(2, 3), "first.bias": torch.ones(2)})
    affine.eval()
    assert operations(student) == ["call"]
    assert torch.equal(affine(torch.ones(1, 3)), torch.ones(1, 2))
    assert operations(student) == ["call", "load", "mode", "forward"]
    seeds = [exchange.request["seed"] for exchange in student._exchanges]
    assert len(set(seeds)) == 4


def test_what_is_loaded_is_what_it_was_then() -> None:
    affine, weight = student_of(MODULE).Affine(3), torch.zeros(2, 3)
    affine.eval()
    affine.load({"first.weight": weight, "first.bias": torch.zeros(2)})
    weight += 1
    assert torch.equal(affine(torch.ones(1, 3)), torch.zeros(1, 2))


def test_an_error_in_what_went_along_is_that_of_its_own_request() -> None:
    student = student_of(STUBBORN)
    affine = student.Affine(3)
    affine.load({"first.bias": torch.ones(2)})
    affine.eval()
    with pytest.raises(StudentRaised, match="I stay as I am"):
        affine(torch.ones(1, 3))
    assert operations(student) == ["call", "load", "mode"]
    assert student._exchanges[-1].reply["error"]["message"] == "I stay as I am"
    affine.train()
    assert affine(torch.ones(1, 3)).shape == (1, 2)


def test_a_module_whose_parameters_have_no_shape_yet_is_made_nevertheless() -> None:
    lazy = MODULE.replace("nn.Linear(d_in, d_out)", "nn.LazyLinear(d_out)")
    affine = student_of(lazy).Affine(3)
    assert affine(torch.ones(1, 3)).shape == (1, 2)
