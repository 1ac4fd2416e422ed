"""What hidden tests of `MultiHeadAttention` put to it: sizes, weights, masks, and PyTorch's own."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student

from .modules import Weights, load, load_with_biases, weights_by_hand, without_biases

BATCH, N_Q, N_K, N_HEADS, D_MODEL = 2, 5, 7, 3, 18
LARGEST = max(BATCH, N_Q, N_HEADS)  # of the batches that are put to one module
NAMES = ("W_Q", "W_K", "W_V", "W_O")

Draw = Callable[..., torch.Tensor]
Shape = tuple[int, ...]
Inputs = tuple[torch.Tensor, torch.Tensor, torch.Tensor]  # query, key, value

SCORES: Shape = (BATCH, N_HEADS, N_Q, N_K)
# The plain mask comes first: whoever takes it for rows of sentences crashes there, in one way only.
MASK_SHAPES: tuple[Shape, ...] = (SCORES[2:], SCORES[1:], (1, N_K), (BATCH, 1, 1, N_K), SCORES)


def attention_with(student: Student, weights: Weights, n_heads: int = N_HEADS) -> ModuleProxy:
    """Make the student's attention and load `weights`, biases as zeros."""
    attention: ModuleProxy = student.MultiHeadAttention(len(weights["W_O.bias"]), n_heads)
    load(attention, without_biases(weights))
    return attention


def attention_with_biases(student: Student, weights: Weights) -> ModuleProxy:
    """Make the student's attention and load `weights`, biases as they are."""
    attention: ModuleProxy = student.MultiHeadAttention(D_MODEL, N_HEADS)
    load_with_biases(attention, weights, reveals="multi-head-no-bias")
    return attention


def by_hand(d_model: int, **matrices: torch.Tensor) -> Weights:
    """Return weights without biases: the identity, but for the `matrices` given."""
    return weights_by_hand(dict.fromkeys(NAMES, torch.eye(d_model)) | matrices)


def pytorch_attention(weights: Weights) -> nn.MultiheadAttention:
    """Return PyTorch's own layer, with the same `weights`."""
    joined = ("W_Q", "W_K", "W_V")
    theirs = nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True).requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat([weights[f"{name}.weight"] for name in joined]))
    theirs.in_proj_bias.copy_(torch.cat([weights[f"{name}.bias"] for name in joined]))
    theirs.out_proj.weight.copy_(weights["W_O.weight"])
    theirs.out_proj.bias.copy_(weights["W_O.bias"])
    return theirs.eval()


def passed_on(weights: Weights, value: torch.Tensor) -> torch.Tensor:
    """Return what comes back of a `value` that gets all attention: W_O(W_V(value))."""
    return value @ weights["W_V.weight"].mT @ weights["W_O.weight"].mT


def masks_of_all_shapes(draw: Draw) -> dict[Shape, torch.Tensor]:
    """Draw masks that broadcast to the scores, by their shapes.

    Each query sees some key, and each key is seen by some query: no wrong answer divides by 0.
    """
    place = (torch.arange(N_K) - torch.arange(N_Q).unsqueeze(1)) % 3
    return {
        shape: torch.where(place[: shape[-2]] == 2, draw(*shape) > 0, place[: shape[-2]] == 0)
        for shape in MASK_SHAPES
    }


def one_token_a_head(draw: Draw) -> tuple[Inputs, torch.Tensor]:
    """Return inputs with which each head picks one token, and the columns that it picks.

    The keys are one-hot within each head and the scores so large that their scale has no effect.
    """
    d_head, n_k, picks = 5, 4, torch.tensor([[0, 3, 1], [2, 2, 0], [3, 1, 2], [1, 0, 3], [0, 1, 1]])
    one_hot = torch.eye(n_k, d_head)
    key = one_hot.repeat(1, N_HEADS).expand(BATCH, -1, -1)
    query = 1e3 * one_hot[picks].flatten(1).expand(BATCH, -1, -1)
    value = draw(BATCH, n_k, N_HEADS * d_head)
    columns = value.view(BATCH, n_k, N_HEADS, d_head)
    return (query, key, value), columns[:, picks, torch.arange(N_HEADS)].flatten(-2)


def far_apart(draw: Draw) -> tuple[Inputs, list[int]]:
    """Return inputs of two heads with scores near 300 and -300, and the best key of each query.

    Positive queries find the first key, negative ones the last; both heads are alike.
    """
    size, d_head = torch.tensor([1.0, 0.9, 0.8]), 4
    key = (size.unsqueeze(-1) * torch.eye(1, d_head)).repeat(1, 2).expand(BATCH, 3, 2 * d_head)
    query = torch.tensor([600.0, -600, -600, 600]).view(1, 4, 1).expand(BATCH, 4, 2 * d_head)
    return (query, key, draw(BATCH, 3, 2 * d_head)), [0, 2, 2, 0]
