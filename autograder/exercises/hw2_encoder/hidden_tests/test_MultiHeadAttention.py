"""Hidden tests of `MultiHeadAttention`: laws and hand-picked heads, then agreement with PyTorch.

The reference is `nn.MultiheadAttention`, whose masks say True = may *not* attend. The module is in
eval mode and its biases are 0 unless these are what is tested, and what doesn't depend on the scale
is tested where the scale has no effect: each slip costs its own points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.testing import Student, expect, forbids, laws, points

from ..modules import (
    BUILT_IN_ATTENTION,
    expect_an_effect,
    expect_learning,
    expect_no_mode,
    without_biases,
)
from ..multi_head import (
    BATCH,
    D_MODEL,
    LARGEST,
    N_HEADS,
    N_K,
    N_Q,
    NAMES,
    SCORES,
    Draw,
    Shape,
    attention_with,
    attention_with_biases,
    by_hand,
    far_apart,
    masks_of_all_shapes,
    one_token_a_head,
    passed_on,
    pytorch_attention,
)

pytestmark = forbids(*BUILT_IN_ATTENTION)

MANY_TERMS = 1e-4  # the tolerance for sums of 600 float32 terms: their error is below 600 · 2⁻²⁴


@pytest.fixture
def projections(randomise: Callable[..., nn.ModuleDict]) -> nn.ModuleDict:
    """The four linear layers, with random weights and biases."""
    return randomise(nn.ModuleDict({name: nn.Linear(D_MODEL, D_MODEL) for name in NAMES}))


@points(1)
def test_columns_that_the_heads_cannot_share_are_refused(student: Student, draw: Draw) -> None:
    """A d_model that n_heads does not divide is a ValueError; one that it divides is fine."""
    x = draw(BATCH, 4, 9)
    expect_an_effect(attention_with(student, by_hand(9), n_heads=3)(x, x, x), x)
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
    weights = projections.state_dict()
    query, key, value = (draw(BATCH, 1, D_MODEL) for _ in range(3))
    expect.close(
        attention_with(student, weights)(query, key, value),
        passed_on(weights, value),
        "With a single key, all attention goes to it, so its value should come back after W_V and "
        "W_O, and nothing else. Which tensors, and which layers, does your result come from?",
    )


@points(2)
def test_each_head_works_on_columns_of_its_own(student: Student, draw: Draw) -> None:
    """Each head finds another token, and returns that token's columns h*d_head to (h+1)*d_head."""
    (query, key, value), picked = one_token_a_head(draw)
    attention = attention_with(student, by_hand(value.shape[-1]))
    expect.close(
        attention(query, key, value),
        picked,
        "Made so that each head picks one token, yours bring back something else. Head h owns the "
        "columns h*d_head to (h+1)*d_head of every token, on the way in and on the way out. Print "
        "what a head gets, and what is joined: shapes can be right all the same, since `view` cuts "
        "axes, but never makes two change places.",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_head(student: Student) -> None:
    """Two tokens, two heads with d_head = 16, by hand: ¾ for the token itself, ¼ for the other."""
    tokens = torch.eye(2, 16).repeat(1, 2).unsqueeze(0)  # the same one-hot vector in both heads
    weights = by_hand(32, W_Q=4 * math.log(3) * torch.eye(32))
    attention = attention_with(student, weights, n_heads=2)
    expect.close(
        attention(tokens, tokens, tokens),
        torch.tensor([[0.75, 0.25], [0.25, 0.75]]) @ tokens,
        "The result is not what we get by hand. If each head works on columns of its own, look at "
        "the scale: over how many features does the product of a query and a key add up?",
    )


@points(1)
def test_attention_to_another_sequence_agrees_with_pytorch(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """For queries, keys and values of three different sources, and n_q ≠ n_k, PyTorch agrees."""
    query, key, value = (draw(BATCH, length, D_MODEL) for length in (N_Q, N_K, N_K))
    weights = projections.state_dict()
    expected, _ = pytorch_attention(weights)(query, key, value, need_weights=False)
    expect.close(
        attention_with_biases(student, weights)(query, key, value),
        expected,
        "With query, key and value from different places, the result differs from that of "
        "nn.MultiheadAttention with the same weights and biases. If earlier tests fail as well, "
        "start there. Else: does each of the three get its own projection, bias included, and is "
        "softmax taken over the keys?",
    )


@points(1)
def test_a_hidden_key_is_as_if_it_were_not_there(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """Keys whose mask is False may as well be left out; the others still count."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    seen_by_first, seen_by_others = [0, 1, 4, 6], [0, 2, 3, 5]
    mask = torch.zeros(N_Q, N_K, dtype=torch.bool)
    mask[:1, seen_by_first] = mask[1:, seen_by_others] = True
    attention = attention_with(student, projections.state_dict())
    first, others = memory[:, seen_by_first], memory[:, seen_by_others]
    hidden = attention(query, memory, memory, mask=mask)
    everything = attention(query, memory, memory)
    left_out = [attention(query[:, :1], first, first), attention(query[:, 1:], others, others)]
    lengths = (N_Q, N_Q, 1, N_Q - 1)
    for result, length in zip((hidden, everything, *left_out), lengths, strict=True):
        expect.array(result, (BATCH, length, D_MODEL), "tensor")
    expect.that(
        not torch.equal(hidden, everything),
        "With and without a mask, your module answers the same. What does it do with the mask, and "
        "what becomes of the result of that?",
        reveals="multi-head-mask-without-effect",
    )
    expect.close(
        hidden,
        torch.cat(left_out, dim=1),
        "Hiding some keys by the mask gives another result than leaving them out. True means may "
        "attend. Which keys does a query of yours still see, and do its weights sum to 1?",
    )
    laws.learns_with(
        attention,
        query,
        memory,
        memory,
        cotangent=draw(BATCH, N_Q, D_MODEL),
        mask=mask,
        says="With a mask that hides some keys,",
    )


@points(1)
def test_masks_of_each_sentence_and_of_each_head_agree_with_pytorch(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """Masks of any shape that broadcasts to (batch, n_heads, n_q, n_k) do what PyTorch's do.

    Batches as large as n_q, or as n_heads, tell whoever goes by sizes from who goes by places.
    """
    query, memory = draw(LARGEST, N_Q, D_MODEL), draw(LARGEST, N_K, D_MODEL)
    weights = without_biases(projections.state_dict())
    attention, theirs = attention_with(student, weights), pytorch_attention(weights)
    masks = masks_of_all_shapes(draw)

    def ours(case: tuple[int, Shape]) -> Any:
        batch, shape = case
        keys = memory[:batch]
        return attention(query[:batch], keys, keys, mask=masks[shape])

    def expected(case: tuple[int, Shape]) -> Any:
        batch, shape = case
        keys, forbidden = memory[:batch], ~masks[shape].expand(batch, *SCORES[1:]).flatten(0, 1)
        return theirs(query[:batch], keys, keys, attn_mask=forbidden, need_weights=False)[0]

    laws.agrees_at(
        [*((BATCH, shape) for shape in masks), (N_Q, SCORES[2:]), (N_HEADS, SCORES[1:])],
        ours,
        expected,
        lambda case: (
            f"With a mask of shape {case[1]}, the result differs from PyTorch's. If the test "
            "before this one fails as well, start there. Masks broadcast to (batch, n_heads, n_q, "
            f"n_k) = {(case[0], *SCORES[1:])} as they are: the last axis is the keys'. What do "
            "you do to the shape of a mask, and do you keep one?"
        ),
    )


@points(1)
def test_scores_of_some_hundreds_are_survived(student: Student, draw: Draw) -> None:
    """Scores near 300 and -300 are all right, with a mask as well."""
    (query, key, value), best = far_apart(draw)
    attention = attention_with(student, by_hand(value.shape[-1]), n_heads=2)
    seen = [1, 1, 0, 2]  # by each query, when there is a mask
    expect.close(
        attention(query, key, value),
        value[:, best],
        "With scores of some hundreds, above and below 0, the result isn't what it should be: one "
        "key fits far better than the others. What becomes of a score of 300 or -300 on its way to "
        "a weight?",
    )
    expect.close(
        attention(query, key, value, mask=torch.eye(3)[seen] == 1),
        value[:, seen],
        "With scores near 300 or -300 and a mask that leaves each query one key, that key's value "
        "doesn't come back. How does the score that you give to hidden keys compare with -300?",
    )


@points(1)
def test_one_module_serves_sequences_of_any_length(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """Where all keys are alike, a query finds the values' average: of 1 key or of 600.

    All weights are equal there, so neither the scale nor W_Q and W_K matter.
    """
    weights = projections.state_dict()
    attention, key = attention_with(student, weights), draw(2, 1, D_MODEL)
    query, value = draw(2, N_Q, D_MODEL), draw(2, 600, D_MODEL)

    def ours(case: tuple[int, int, int]) -> Any:
        batch, n_q, n_k = case
        keys = key[:batch].expand(batch, n_k, D_MODEL)
        return attention(query[:batch, :n_q], keys, value[:batch, :n_k])

    def theirs(case: tuple[int, int, int]) -> Any:
        batch, n_q, n_k = case
        average = value[:batch, :n_k].mean(1, keepdim=True)
        return passed_on(weights, average).expand(batch, n_q, D_MODEL)

    laws.agrees_at(
        ((1, 1, 1), (2, 3, 4), (1, N_Q, 600), (2, 1, 2), (1, 3, 3)),
        ours,
        theirs,
        lambda case: (
            f"With (batch, n_q, n_k) = {case} and keys that are all alike, the result isn't the "
            "values' average after W_V and W_O. One module met inputs of several sizes. If other "
            "tests fail as well, start there. Else: what in your code depends on the sizes?"
        ),
        tolerance=MANY_TERMS,
    )


@points(1)
def test_every_layer_learns(student: Student, draw: Draw, projections: nn.ModuleDict) -> None:
    """A gradient reaches all four layers, query, key and value, and nothing else is trained."""
    lengths = {"query": N_Q, "key": N_K, "value": N_K}
    inputs = {name: draw(BATCH, length, D_MODEL) for name, length in lengths.items()}
    cotangent = draw(BATCH, N_Q, D_MODEL)
    attention = attention_with_biases(student, projections.state_dict())
    expect_learning(attention, inputs, cotangent=cotangent, layers=projections, tags="multi-head")


@points(1)
def test_a_call_is_repeatable_and_leaves_its_inputs_alone(
    student: Student, draw: Draw, projections: nn.ModuleDict
) -> None:
    """In either mode, with a mask or without, equal calls agree and all inputs stay as they are."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    attention = attention_with(student, projections.state_dict())
    mask = (torch.arange(N_K) - torch.arange(N_Q).unsqueeze(1)) % N_K < 3
    masks = (None, mask)

    def results() -> Any:
        found = [attention(query, memory, memory, mask=mask) for mask in masks]
        for result in found:
            expect_an_effect(result, query)
        return torch.stack(found)

    attention(query, memory, memory, mask=mask[:1])  # hides keys from all, and may tempt to erase
    expect_no_mode(student, attention, results, reveals="multi-head-argument-changed")
