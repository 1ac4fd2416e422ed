"""Hidden tests of `SelfAttention`: laws and hand-computed weights, then agreement with PyTorch."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import ModuleProxy, Student, expect, forbids, points

Draw = Callable[..., torch.Tensor]

pytestmark = forbids(
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention.__init__",
)

BATCH, SEQ, D_MODEL, D_K = 3, 5, 6, 4


@pytest.fixture
def projections(randomise: Callable[..., nn.ModuleDict]) -> nn.ModuleDict:
    """The three linear layers of a head, with random weights and biases."""
    names = ("W_Q", "W_K", "W_V")
    return randomise(nn.ModuleDict({name: nn.Linear(D_MODEL, D_K) for name in names}))


def head_with(student: Student, weights: Mapping[str, torch.Tensor]) -> ModuleProxy:
    """Make the student's head and load `weights`."""
    d_k, d_model = weights["W_Q.weight"].shape
    head: ModuleProxy = student.SelfAttention(d_model, d_k)
    head.load(weights)
    return head


def unpack(result: Any, seq: int) -> tuple[Any, Any]:
    """Unpack (output, weights), in either order: the order has a test of its own."""
    first, second = expect.pair(result, "output", "weights")
    swapped = tuple(getattr(first, "shape", ()))[-2:] == (seq, seq)
    return (second, first) if swapped else (first, second)


@points(1)
def test_each_token_shares_out_its_attention(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """The weights of each token sum to 1, and most goes to the key that fits its query best."""
    X = draw(BATCH, SEQ, D_MODEL)
    _, weights = unpack(head_with(student, projections.state_dict())(X), SEQ)
    expect.array(weights, (BATCH, SEQ, SEQ), "tensor")
    expect.close(
        weights.sum(-1),
        torch.ones(BATCH, SEQ),
        "The weights of a token (a row) don't sum to 1. Softmax shares out each query's attention "
        "among the keys: along which axis do the keys lie?",
    )
    best = (projections["W_Q"](X) @ projections["W_K"](X).mT).argmax(-1)
    assert torch.equal(weights.argmax(-1), best), (
        "A token gives its largest weight to another key than the one that fits its query best. "
        "Row i should compare the query of token i with each key, and both come from projections."
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_k(student: Student) -> None:
    """Two tokens with d_k = 16, by hand: each gives ¾ of its attention to itself, ¼ to the other.

    The weights are symmetric, so the axis of the softmax doesn't matter here.
    """
    d_model, d_k = 3, 16
    zeros = {f"{name}.bias": torch.zeros(d_k) for name in ("W_Q", "W_K", "W_V")}
    one_to_one = torch.eye(d_k, d_model)
    queries = 4 * math.log(3) * one_to_one  # own score 4 ln 3, the other 0; the root of 16 is 4
    weights = {"W_Q.weight": queries, "W_K.weight": one_to_one, "W_V.weight": one_to_one}
    head = head_with(student, weights | zeros)
    _, returned = unpack(head(torch.eye(2, d_model).unsqueeze(0)), seq=2)
    expect.close(
        returned,
        torch.tensor([[[0.75, 0.25], [0.25, 0.75]]]),
        "The weights are sharper or flatter than they should be. The scores are divided by the "
        "square root of the number of features that a query and a key have.",
    )


@points(1)
def test_the_output_averages_the_projected_values(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """When all keys fit equally well, the output is the plain average of the values W_V(X)."""
    for parameter in projections["W_Q"].parameters():
        parameter.zero_()
    X = draw(BATCH, SEQ, D_MODEL)
    output, _ = unpack(head_with(student, projections.state_dict())(X), SEQ)
    expect.close(
        output,
        projections["W_V"](X).mean(1, keepdim=True).expand(BATCH, SEQ, D_K),
        "With equal weights, the output should be the average of the values. The values are "
        "neither X itself nor the keys: they have a projection of their own, bias included.",
    )


@points(2)
def test_output_and_weights_agree_with_pytorch(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """The pair (output, weights), in this order, agrees with PyTorch's own attention."""
    X = draw(BATCH, SEQ, D_MODEL)
    head = head_with(student, projections.state_dict())
    output, weights = expect.pair(head(X), "output", "weights")
    assert not student.inputs_changed, "Your head changes X. Make new tensors instead."
    Q, K, V = (projections[name](X) for name in ("W_Q", "W_K", "W_V"))
    assert tuple(getattr(output, "shape", ())) != (BATCH, SEQ, SEQ), (
        "The weights come first and the output second. Here it is the other way round: return "
        "(output, weights), as PyTorch's own attention does."
    )
    expect.array(output, (BATCH, SEQ, D_K), "tensor")
    expect.close(
        expect.pair(head(X), "output", "weights")[0],
        output,
        "Asked the same twice, your head gives two answers. Is anything drawn in forward?",
    )
    expect.close(
        output,
        scaled_dot_product_attention(Q, K, V),
        "The output differs from PyTorch's. Are W_Q, W_K and W_V each used once, and does each "
        "row of weights average the values?",
    )
    expect.close(
        weights,
        scaled_dot_product_attention(Q, K, torch.eye(SEQ).expand(BATCH, SEQ, SEQ)),
        "The weights differ from PyTorch's, though the output doesn't. Return the weights that "
        "the values were averaged with.",
    )
