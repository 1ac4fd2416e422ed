"""Hidden tests of `MultiHeadAttention`: laws and hand-picked heads, then agreement with PyTorch.

The reference is `nn.MultiheadAttention`, whose masks say True = may *not* attend.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, forbids, points

Draw = Callable[..., torch.Tensor]
Weights = Mapping[str, torch.Tensor]

pytestmark = forbids(
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention.__init__",
)

BATCH, N_Q, N_K, N_HEADS, D_MODEL = 2, 5, 7, 3, 12
NAMES = ("W_Q", "W_K", "W_V", "W_O")


@pytest.fixture
def projections(randomise: Callable[..., nn.ModuleDict]) -> nn.ModuleDict:
    """The four linear layers, with random weights and biases."""
    return randomise(nn.ModuleDict({name: nn.Linear(D_MODEL, D_MODEL) for name in NAMES}))


def attention_with(student: Student, weights: Weights, n_heads: int = N_HEADS) -> ModuleProxy:
    """Make the student's attention and load `weights`."""
    attention: ModuleProxy = student.MultiHeadAttention(len(weights["W_O.bias"]), n_heads)
    attention.load(weights)
    return attention


def by_hand(d_model: int, **matrices: torch.Tensor) -> Weights:
    """Return weights without biases: the identity, but for the `matrices` given."""
    chosen = dict.fromkeys(NAMES, torch.eye(d_model)) | matrices
    weights = {f"{name}.weight": matrix for name, matrix in chosen.items()}
    return weights | {f"{name}.bias": torch.zeros(d_model) for name in NAMES}


def pytorch_attention(projections: nn.ModuleDict) -> nn.MultiheadAttention:
    """Return PyTorch's own layer, with the weights of `projections`."""
    weights, joined = projections.state_dict(), ("W_Q", "W_K", "W_V")
    theirs = nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True).requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat([weights[f"{name}.weight"] for name in joined]))
    theirs.in_proj_bias.copy_(torch.cat([weights[f"{name}.bias"] for name in joined]))
    theirs.out_proj.load_state_dict(projections["W_O"].state_dict())
    return theirs.eval()


@points(1)
def test_columns_that_the_heads_cannot_share_are_refused(student: Student, draw: Draw) -> None:
    """A d_model that n_heads does not divide is a ValueError; one that it divides is fine."""
    memory = draw(BATCH, 1, 1).expand(BATCH, 1, 9)
    expect.close(
        attention_with(student, by_hand(9), n_heads=3)(draw(BATCH, 1, 9), memory, memory),
        memory,
        "9 columns can be shared out among 3 heads, so this module should work: with a single key "
        "and projections that change nothing, that key's value should come back. It doesn't.",
    )
    for d_model, n_heads in ((10, 3), (4, 8)):
        with expect.raises(
            "ValueError",
            f"{d_model} columns can't be shared out equally among {n_heads} heads. "
            "Raise a ValueError when such a module is made.",
        ):
            student.MultiHeadAttention(d_model, n_heads)


@points(1)
def test_a_single_key_is_passed_on_through_both_projections(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """With one query and one key there is nothing to choose: the result is W_O(W_V(value))."""
    query, key, value = (draw(BATCH, 1, D_MODEL) for _ in range(3))
    expect.close(
        attention_with(student, projections.state_dict())(query, key, value),
        projections["W_O"](projections["W_V"](value)),
        "With a single key, all attention goes to it, so the value should come back after W_V and "
        "W_O. Is one of these two left out or used twice, or does the key take the value's place?",
    )


@points(2)
def test_each_head_works_on_columns_of_its_own(student: Student, draw: Draw) -> None:
    """Each head finds another token, and returns that token's columns h*d_head to (h+1)*d_head.

    The keys are one-hot within each head and the scores so large that their scale has no effect.
    """
    d_head, n_k, picks = 5, 4, torch.tensor([[0, 3, 1], [2, 2, 0], [3, 1, 2], [1, 0, 3], [0, 1, 1]])
    one_hot = torch.eye(n_k, d_head)
    key = one_hot.repeat(1, N_HEADS).expand(BATCH, -1, -1)
    query = 1e4 * one_hot[picks].flatten(1).expand(BATCH, -1, -1)
    value = draw(BATCH, n_k, N_HEADS * d_head)
    columns = value.view(BATCH, n_k, N_HEADS, d_head)
    attention = attention_with(student, by_hand(N_HEADS * d_head))
    expect.close(
        attention(query, key, value),
        columns[:, picks, torch.arange(N_HEADS)].flatten(-2),
        "Made so that each head picks one token, yours mix up tokens or heads. Head h owns the "
        "columns h*d_head to (h+1)*d_head of every token, on the way in and on the way out. The "
        "shapes can be right all the same: `view` cuts axes, but never makes two change places.",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_head(student: Student) -> None:
    """Two tokens, two heads with d_head = 16, by hand: ¾ for the token itself, ¼ for the other."""
    d_model, tokens = 32, torch.zeros(1, 2, 32)
    for token in range(2):  # the same one-hot vector in both heads
        tokens[0, token, [token, token + 16]] = 1
    attention = attention_with(
        student, by_hand(d_model, W_Q=4 * math.log(3) * torch.eye(d_model)), n_heads=2
    )
    expect.close(
        attention(tokens, tokens, tokens),
        torch.tensor([[0.75, 0.25], [0.25, 0.75]]) @ tokens,
        "The weights are not those that we get by hand. If each head works on columns of its own, "
        "look at the scale: each head compares queries and keys of d_head features.",
    )


@points(2)
def test_attention_to_another_sequence_agrees_with_pytorch(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """For queries, keys and values of three different sources, and n_q ≠ n_k, PyTorch agrees."""
    query, key, value = (draw(BATCH, length, D_MODEL) for length in (N_Q, N_K, N_K))
    attention = attention_with(student, projections.state_dict())
    result = attention(query, key, value)
    assert not student.inputs_changed, "Your module changes its inputs. Make new tensors instead."
    expect.array(result, (BATCH, N_Q, D_MODEL), "tensor")
    expect.close(
        attention(query, key, value),
        result,
        "Asked the same twice, your module gives two answers. Is anything drawn in forward?",
    )
    expected, _ = pytorch_attention(projections)(query, key, value, need_weights=False)
    expect.close(
        result,
        expected,
        "With query, key and value from different places, the result differs from that of "
        "nn.MultiheadAttention with the same weights. If earlier tests fail as well, start there. "
        "Else: does each of the three get its own projection, is softmax taken over the keys?",
    )


@points(1)
def test_a_hidden_key_is_as_if_it_were_not_there(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """Keys whose mask is False may as well be left out; the others still count."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    seen_by_first, seen_by_others = [0, 1, 4, 6], [0, 2, 3, 5]
    mask = torch.zeros(N_Q, N_K, dtype=torch.bool)
    mask[:1, seen_by_first] = True
    mask[1:, seen_by_others] = True
    attention = attention_with(student, projections.state_dict())
    hidden = attention(query, memory, memory, mask=mask)
    expect.array(hidden, (BATCH, N_Q, D_MODEL), "tensor")
    first, others = memory[:, seen_by_first], memory[:, seen_by_others]
    left_out = [attention(query[:, :1], first, first), attention(query[:, 1:], others, others)]
    for result, length in zip(left_out, (1, N_Q - 1), strict=True):
        expect.array(result, (BATCH, length, D_MODEL), "tensor")
    everything = attention(query, memory, memory)
    expect.array(everything, (BATCH, N_Q, D_MODEL), "tensor")
    assert not torch.allclose(hidden, everything, atol=1e-3), (
        "The mask has no effect. Is what it does to the scores kept, and before the softmax?"
    )
    expect.close(
        hidden,
        torch.cat(left_out, dim=1),
        "Hiding some keys by the mask gives another result than leaving them out. True means may "
        "attend; a hidden key needs a score that softmax turns into 0, and the rest still sums "
        "to 1.",
    )


@points(1)
def test_masks_of_each_sentence_and_of_each_head_agree_with_pytorch(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """Masks of any shape that broadcasts to (batch, n_heads, n_q, n_k) do what PyTorch's do."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    attention, theirs = (
        attention_with(student, projections.state_dict()),
        pytorch_attention(projections),
    )
    full = (BATCH, N_HEADS, N_Q, N_K)
    # Each query sees some key, and each key is seen by some query: no wrong answer divides by 0.
    place = (torch.arange(N_K) - torch.arange(N_Q).unsqueeze(1)) % 3
    for shape in ((N_HEADS, N_Q, N_K), (1, N_K), (BATCH, 1, 1, N_K), full):
        rows = place[: shape[-2]]
        mask = torch.where(rows == 2, draw(*shape) > 0, rows == 0)
        forbidden = ~mask.expand(full).flatten(0, 1)
        expected, _ = theirs(query, memory, memory, attn_mask=forbidden, need_weights=False)
        expect.close(
            attention(query, memory, memory, mask=mask),
            expected,
            f"With a mask of shape {shape}, the result differs from PyTorch's. Masks broadcast to "
            f"(batch, n_heads, n_q, n_k) = {full} as they are: the last axis is the keys'.",
        )
