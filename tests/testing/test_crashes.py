"""Common exceptions are explained; the explanations are tried on the exceptions themselves."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.testing.crashes import RULES, explain


class NoSelf(nn.Module):
    def forward(x: Any) -> Any:  # noqa: N805 - the mistake to be explained
        return x


class NoLayer(nn.Module):
    def forward(self, x: Any) -> Any:
        return self.linear(x)  # type: ignore[operator]  # the mistake to be explained


class NoSuper(nn.Module):
    def __init__(self) -> None:
        self.linear = nn.Linear(2, 3)


def nothing() -> Any:
    return None


def endless() -> None:
    endless()


CRASHES: dict[str, tuple[Callable[[], Any], str]] = {
    "matmul": (lambda: np.ones((2, 3)) @ np.ones((4, 5)), "here 3 meets 4"),
    "dot": (lambda: np.ones((2, 3)).dot(np.ones((4, 5))), "here 3 meets 4"),
    "mm": (lambda: torch.ones(2, 3) @ torch.ones(4, 5), "here 3 meets 4"),
    "linear": (lambda: nn.Linear(4, 5)(torch.ones(2, 3)), "here 3 meets 4"),
    "bmm": (lambda: torch.ones(2, 3, 5) @ torch.ones(2, 4, 3), "here 5 meets 4"),
    "broadcast": (lambda: np.ones((2, 3)) / np.ones(2), "`keepdims`"),
    "torch broadcast": (lambda: torch.ones(2, 3) / torch.ones(2), "`keepdims`"),
    "reshape": (lambda: np.ones(6).reshape(4, 2), "as many numbers"),
    "torch reshape": (lambda: torch.ones(6).view(4, 2), "as many numbers"),
    "view": (lambda: torch.ones(2, 3, 4).transpose(1, 2).view(2, 12), "`reshape` copies"),
    "axis": (lambda: np.ones(3).sum(axis=1), "axis 1, but the number of axes is 1"),
    "dim": (lambda: torch.ones(3).sum(dim=1), "axis 1, which this tensor doesn't have"),
    "dtype": (lambda: torch.ones(2, 2) @ torch.ones(2, 2).double(), "different dtypes"),
    "none": (lambda: nothing()[0], "value is None"),
    "unpack none": (lambda: [a for a, b in [nothing()]], "value is None"),
    "self": (lambda: NoSelf()(torch.ones(2)), "is `self` its first"),
    "unpack": (lambda: [a for a, b in [tuple("abc")]], "How many axes"),
    "attribute": (lambda: NoLayer()(torch.ones(2)), "has no `linear`"),
    "name": (lambda: eval("nowhere"), "Is `nowhere` spelt"),
    "recursion": (endless, "calls itself"),
    "super": (NoSuper, r"super\(\)\.__init__\(\)"),
    "math": (lambda: math.exp(np.ones(3)), "a whole array"),
    "in place": (lambda: nn.Linear(2, 2).weight.add_(1), "in place"),
}


@pytest.mark.parametrize("name", CRASHES)
def test_a_common_exception_is_explained(name: str) -> None:
    crash, meaning = CRASHES[name]
    with pytest.raises(Exception) as caught:
        crash()
    assert re.search(meaning, explain(str(caught.value))), str(caught.value)


def test_an_exception_of_the_students_own_is_not_explained() -> None:
    assert explain("I don't know what to do") == ""


def test_every_rule_is_the_first_to_explain_one_of_the_exceptions() -> None:
    first = set()
    for crash, _ in CRASHES.values():
        try:
            crash()
        except Exception as error:
            first.add(next(rule for rule in RULES if rule.explain(str(error))))
    assert [rule.pattern for rule in RULES if rule not in first] == []
