"""What hidden tests do with a student's module, so that one slip costs one test."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws
from autograder.testing.failures import StudentRaised

Weights = Mapping[str, torch.Tensor]

BUILT_IN_ATTENTION = (
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention.__init__",
)


def without_biases(weights: Weights) -> Weights:
    """Return `weights` with zeros for every bias."""
    return {
        name: torch.zeros_like(value) if name.endswith("bias") else value
        for name, value in weights.items()
    }


def weights_by_hand(matrices: Mapping[str, torch.Tensor]) -> Weights:
    """Return the weights of linear layers that multiply by the `matrices`, without biases."""
    return {f"{name}.weight": matrix for name, matrix in matrices.items()} | {
        f"{name}.bias": torch.zeros(len(matrix)) for name, matrix in matrices.items()
    }


def load(module: ModuleProxy, weights: Weights) -> None:
    """Load `weights`, and put the module in eval mode; a bias of zeros may be missing there.

    Only tests that load another bias therefore fail for layers without one.
    """
    zero_biases = {n: v for n, v in weights.items() if n.endswith("bias") and not v.any()}
    module.load({name: value for name, value in weights.items() if name not in zero_biases})
    for name, zeros in zero_biases.items():
        try:
            module.load({name: zeros})
        except StudentRaised as error:
            if error.type_name != "MissingParameter":
                raise
    module.eval()


def load_with_biases(module: ModuleProxy, weights: Weights, *, reveals: str) -> None:
    """Load `weights`, and put the module in eval mode; a missing bias is the misconception named.

    Layers whose weights can't be loaded fail as they do in `load`.
    """
    load(module, without_biases(weights))
    try:
        load(module, weights)
    except StudentRaised as error:
        expect.that(
            error.type_name != "MissingParameter",
            "Some of your linear layers have no bias, so the module can't do all that it should. "
            "The exercise asks for `nn.Linear` as it comes: which of its arguments do you set?",
            reveals,
        )
        raise


def expect_learning(
    module: ModuleProxy,
    inputs: Mapping[str, torch.Tensor],
    *,
    cotangent: torch.Tensor,
    layers: nn.Module,
    tags: str,
) -> None:
    """Require that all parameters of `layers` learn, nothing else does, and all `inputs` could.

    The misconceptions that this reveals have tags that begin with `tags`.
    """
    laws.learns(
        module,
        *inputs.values(),
        cotangent=cotangent,
        numbers=sum(parameter.numel() for parameter in layers.parameters()),
        reveals_more=f"{tags}-trains-too-much",
        reveals_fewer=f"{tags}-layers-frozen",
    )
    for place, called in enumerate(inputs):
        laws.reaches_input(
            module, *inputs.values(), place=place, called=called, cotangent=cotangent
        )


def expect_no_mode(
    student: Student, module: ModuleProxy, result: Callable[[], Any], *, reveals: str
) -> None:
    """Require that `result` repeats in either mode, is the same in both, and changes no input.

    The module is in eval mode before. A changed input is the misconception that this `reveals`.
    """
    evaluated = result()
    laws.leaves_inputs_alone(student, result, reveals=reveals)
    laws.repeats(result, "That is in eval mode.")
    module.train()
    laws.repeats(result, "That is in train mode, where there should be no dropout either.")
    laws.leaves_inputs_alone(student, result, reveals=reveals)
    expect.close(
        result(),
        evaluated,
        "In train mode the result differs from that in eval mode. Nothing in this exercise depends "
        "on the mode: what in your code does?",
    )


def expect_an_effect(result: Any, x: torch.Tensor) -> None:
    """Require numbers shaped like `x` that aren't `x`, nor the same at all positions."""
    expect.array(result, tuple(x.shape), "tensor")
    assert result.isfinite().all(), "Your result contains nan or infinity."
    is_constant = x.shape[1] > 1 and torch.equal(result[:, 0], result[:, -1])
    assert not is_constant and not torch.equal(result, x), (
        "Your module returns what it was given, or the same for every token. Which of its layers "
        "have a part in the result?"
    )
