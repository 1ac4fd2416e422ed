"""Laws fail with a sentence where they are broken, and only there."""

from functools import partial
from typing import Any

import pytest
import torch

from autograder.sandbox.host.in_process import InProcess
from autograder.testing import ModuleProxy, laws
from autograder.testing.failures import StudentRaised
from autograder.testing.student import Student

MODULE = """
import torch
from torch import nn

class Module(nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.second = nn.Linear(3, 4), nn.Linear(4, 2)
        self.kept = None

    def forward(self, x, memory=None):
        {}
"""
RIGHT = "return self.second(self.first(x)) + (0 if memory is None else memory.sum())"
X, COTANGENT = torch.ones(5, 3), torch.ones(5, 2)


def student_with(forward: str) -> Student:
    return Student(InProcess([MODULE.format(forward)]))


def module_with(forward: str) -> ModuleProxy:
    module: ModuleProxy = student_with(forward).Module()
    module.eval()
    return module


@pytest.mark.parametrize(
    ("forward", "sentence"),
    [
        ("with torch.no_grad(): return self.second(self.first(x))", "No gradient reaches"),
        ("return self.second(self.first(x).detach())", "No gradient reaches `first.weight`"),
        ("return self.second(0 * self.first(x))", "`first.weight` is zero everywhere"),
        ("return self.second(self.first(x)) / 0", "isn't finite"),
    ],
)
def test_a_parameter_that_could_not_learn_is_named(forward: str, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        laws.learns(module_with(forward), X, cotangent=COTANGENT, draw=torch.randn)


INVENTED = (
    "found = self.second(self.first(x)).detach(); "
    "return found + sum(7 * (each - each.detach()).mean() for each in self.parameters())"
)


@pytest.mark.parametrize("seed", range(5))
def test_gradients_are_compared_with_how_the_output_changes(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    asked: dict[str, Any] = {
        "cotangent": torch.randn(5, 2, generator=generator),
        "draw": partial(torch.randn, generator=generator),
    }
    module = module_with(RIGHT)
    before = module.state()
    laws.learns(module, X, **asked)
    after = module.state()
    assert before and all(torch.equal(before[name], after[name]) for name in before)
    with pytest.raises(AssertionError, match="the output doesn't change as their gradients say"):
        laws.learns(module_with(INVENTED), X, **asked)


@pytest.mark.parametrize(
    "result",
    ["result.detach()", "0 * result", "result / 0", "result.softmax(-1).mul_(result)"],
)
def test_what_learns_without_an_argument_must_learn_with_it(result: str) -> None:
    asked: dict[str, Any] = {"cotangent": COTANGENT, "memory": torch.ones(2), "says": "With it,"}
    laws.learns_with(module_with(RIGHT), X, **asked)
    found = "result = self.second(self.first(x))"
    module = module_with(f"{found}; return result if memory is None else {result}")
    with pytest.raises((AssertionError, StudentRaised), match="gradient"):
        laws.learns_with(module, X, **asked)


def test_what_never_learns_is_left_to_another_law() -> None:
    module = module_with("return self.second(self.first(x)).detach()")
    laws.learns_with(module, X, cotangent=COTANGENT, memory=torch.ones(2), says="With it,")


def test_numbers_that_nobody_asked_for_are_counted() -> None:
    module = module_with(RIGHT)
    laws.learns(module, X, cotangent=COTANGENT, draw=torch.randn, numbers=26)
    with pytest.raises(AssertionError, match="trains 26 numbers, but"):
        laws.learns(module, X, cotangent=COTANGENT, draw=torch.randn, numbers=25)


def test_an_input_that_no_gradient_reaches_is_named() -> None:
    reach: dict[str, Any] = {"place": 1, "called": "memory", "cotangent": COTANGENT}
    laws.reaches_input(module_with(RIGHT), X, memory=torch.ones(2), **reach)
    for cut in ("memory.detach()", "0 * memory"):
        with pytest.raises(AssertionError, match="No gradient reaches `memory`"):
            module = module_with(RIGHT.replace("memory.sum()", f"({cut}).sum()"))
            laws.reaches_input(module, X, memory=torch.ones(2), **reach)


def test_inputs_are_left_alone_in_every_call() -> None:
    student = student_with(f"if memory is not None: memory += 1\n        {RIGHT}")
    module = student.Module()
    laws.leaves_inputs_alone(student, lambda: module(X))
    with pytest.raises(AssertionError, match="no longer what it was"):
        laws.leaves_inputs_alone(student, lambda: module(X), lambda: module(X, torch.ones(2)))


def test_equal_calls_repeat_unless_something_drops_out() -> None:
    steady = module_with(RIGHT)
    dropping = module_with("return nn.functional.dropout(self.second(self.first(x)), 0.5)")
    laws.repeats(lambda: steady(X))
    laws.drops_out(lambda: dropping(X))
    with pytest.raises(AssertionError, match=r"two answers\. Why\?"):
        laws.repeats(lambda: dropping(X), "Why?")
    with pytest.raises(AssertionError, match="agree in every number"):
        laws.drops_out(lambda: steady(X))


def test_what_is_kept_from_an_earlier_call_shows_at_another_size() -> None:
    kept = "self.kept = x[:1] if self.kept is None else self.kept; return self.kept + 0 * x"
    module = module_with(kept)
    sizes = [2.0, 7.0, 2.0]

    def agrees(module: ModuleProxy) -> None:
        laws.agrees_at(
            sizes,
            lambda size: module(torch.full((1, 3), size)),
            lambda size: torch.full((1, 3), size),
            lambda size: f"Wrong at {size}.",
        )

    agrees(module_with("return x"))
    with pytest.raises(AssertionError, match=r"Wrong at 7\.0\."):
        agrees(module)


@pytest.mark.parametrize(
    ("forward", "sentence"),
    [
        ("return x + torch.rand(())", "two answers. That is in eval mode"),
        ("return x + self.training * torch.rand(())", "two answers. That is in train mode"),
        ("return x + self.training", "In train mode the result differs from that in eval mode"),
        ("x += 1; return x", "no longer what it was"),
    ],
)
def test_what_depends_on_the_mode_or_changes_from_call_to_call_is_found(
    forward: str, sentence: str
) -> None:
    def ask(forward: str) -> None:
        student = student_with(forward)
        module = student.Module()
        module.eval()
        laws.ignores_its_mode(student, module, lambda: module(X))

    ask(RIGHT)
    with pytest.raises(AssertionError, match=sentence):
        ask(forward)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda x: x, "returns what it was given"),
        (lambda x: 0 * x, "the same for every token"),
        (lambda x: x / 0, "contains nan"),
        (lambda x: x[:, 1:], "shape should be"),
    ],
)
def test_a_result_in_which_nothing_was_computed_is_found(change: Any, sentence: str) -> None:
    x = torch.arange(12.0).view(2, 3, 2)
    laws.changes_each_position(2 * x + 1, x)
    with pytest.raises(AssertionError, match=sentence):
        laws.changes_each_position(change(x), x)
