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

from ...blocks import loaded

Draw = Callable[..., torch.Tensor]
ByHand = Callable[..., nn.ModuleDict]
Layers = nn.ModuleDict
Shape = tuple[int, ...]

pytestmark = forbids(
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention.__init__",
)

BATCH, N_Q, N_K, N_HEADS, D_MODEL = 2, 5, 7, 3, 18
SCORES: Shape = (BATCH, N_HEADS, N_Q, N_K)
NAMES = ("W_Q", "W_K", "W_V", "W_O")
MANY_TERMS = 1e-4  # the tolerance for sums of 600 float32 terms: their error is below 600 · 2⁻²⁴


@pytest.fixture
def layers(randomise: Callable[[Layers], Layers]) -> Layers:
    """The four linear layers, with random weights and biases."""
    return randomise(nn.ModuleDict({name: nn.Linear(D_MODEL, D_MODEL) for name in NAMES}))


def pytorch_attention(layers: Layers) -> nn.MultiheadAttention:
    """Return PyTorch's own module, with the same weights."""
    weights, joined = layers.state_dict(), NAMES[:3]
    theirs = nn.MultiheadAttention(D_MODEL, N_HEADS, batch_first=True).requires_grad_(False)
    theirs.in_proj_weight.copy_(torch.cat([weights[f"{name}.weight"] for name in joined]))
    theirs.in_proj_bias.copy_(torch.cat([weights[f"{name}.bias"] for name in joined]))
    theirs.out_proj.load_state_dict(layers["W_O"].state_dict())
    return theirs.eval()


@points(1)
def test_columns_that_the_heads_cannot_share_are_refused(
    student: Student, draw: Draw, by_hand: ByHand
) -> None:
    """A d_model that n_heads does not divide is a ValueError; one that it divides is fine."""
    x, layers = draw(BATCH, 4, 9), by_hand(**dict.fromkeys(NAMES, torch.eye(9)))
    laws.changes_each_position(loaded(student.MultiHeadAttention(9, 3), layers)(x, x, x), x)
    for d_model, n_heads in ((10, 3), (4, 8)):
        with expect.raises(
            "ValueError",
            f"{d_model} columns can't be shared out equally among {n_heads} heads. "
            "Raise a ValueError when such a module is made.",
        ):
            student.MultiHeadAttention(d_model, n_heads)


@points(1)
def test_a_single_key_is_passed_on_through_both_projections(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """With one query and one key there is nothing to choose: the result is W_O(W_V(value))."""
    query, key, value = (draw(BATCH, 1, D_MODEL) for _ in range(3))
    expect.close(
        loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), unbiased)(query, key, value),
        unbiased["W_O"](unbiased["W_V"](value)),
        "With a single key, all attention goes to it, so its value should come back after W_V and "
        "W_O, and nothing else. Which tensors, and which layers, does your result come from?",
    )


@points(2)
def test_each_head_works_on_columns_of_its_own(
    student: Student, draw: Draw, by_hand: ByHand
) -> None:
    """Each head finds another token, and returns that token's columns h*d_head to (h+1)*d_head.

    Keys are one-hot within each head, and scores so large that their scale has no effect.
    """
    d_head, n_k, picks = 5, 4, torch.tensor([[0, 3, 1], [2, 2, 0], [3, 1, 2], [1, 0, 3], [0, 1, 1]])
    d_model, one_hot = N_HEADS * d_head, torch.eye(n_k, d_head)
    key = one_hot.repeat(1, N_HEADS).expand(BATCH, -1, -1)
    query = 1e3 * one_hot[picks].flatten(1).expand(BATCH, -1, -1)
    value = draw(BATCH, n_k, d_model)
    layers = by_hand(**dict.fromkeys(NAMES, torch.eye(d_model)))
    expect.close(
        loaded(student.MultiHeadAttention(d_model, N_HEADS), layers)(query, key, value),
        value.view(BATCH, n_k, N_HEADS, d_head)[:, picks, torch.arange(N_HEADS)].flatten(-2),
        "Made so that each head picks one token, yours bring back something else. Head h owns the "
        "columns h*d_head to (h+1)*d_head of every token, on the way in and on the way out. Print "
        "what a head gets, and what is joined: shapes can be right all the same, since `view` cuts "
        "axes, but never makes two change places.",
    )


@points(1)
def test_scores_are_divided_by_the_root_of_d_head(student: Student, by_hand: ByHand) -> None:
    """Two tokens, two heads with d_head = 16, by hand: ¾ for the token itself, ¼ for the other."""
    tokens = torch.eye(2, 16).repeat(1, 2).unsqueeze(0)  # the same one-hot vector in both heads
    eye = torch.eye(32)
    layers = by_hand(W_Q=4 * math.log(3) * eye, W_K=eye, W_V=eye, W_O=eye)
    expect.close(
        loaded(student.MultiHeadAttention(32, 2), layers)(tokens, tokens, tokens),
        torch.tensor([[0.75, 0.25], [0.25, 0.75]]) @ tokens,
        "The result is not what we get by hand. If each head works on columns of its own, look at "
        "the scale. What counts is how many features the product of a query and a key adds up.",
    )


@points(1)
def test_attention_to_another_sequence_agrees_with_pytorch(
    student: Student, draw: Draw, layers: Layers
) -> None:
    """For queries, keys and values of three different sources, and n_q ≠ n_k, PyTorch agrees."""
    query, key, value = (draw(BATCH, length, D_MODEL) for length in (N_Q, N_K, N_K))
    attention = student.MultiHeadAttention(D_MODEL, N_HEADS)
    expect.close(
        loaded(attention, layers, no_bias="multi-head-no-bias")(query, key, value),
        pytorch_attention(layers)(query, key, value, need_weights=False)[0],
        "With query, key and value from different places, the result differs from that of "
        "nn.MultiheadAttention with the same weights and biases. If earlier tests fail as well, "
        "start there. Else: does each of the three get its own projection, bias included, and is "
        "softmax taken over the keys?",
    )


@points(1)
def test_a_hidden_key_is_as_if_it_were_not_there(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """Keys whose mask is False may as well be left out; the others still count."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    seen_by_first, seen_by_others = [0, 1, 4, 6], [0, 2, 3, 5]
    mask = torch.zeros(N_Q, N_K, dtype=torch.bool)
    mask[:1, seen_by_first] = mask[1:, seen_by_others] = True
    attention = loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), unbiased)
    first, others = memory[:, seen_by_first], memory[:, seen_by_others]
    hidden = attention(query, memory, memory, mask=mask)
    everything = attention(query, memory, memory)
    left_out = [attention(query[:, :1], first, first), attention(query[:, 1:], others, others)]
    lengths = (N_Q, N_Q, 1, N_Q - 1)
    for result, length in zip((hidden, everything, *left_out), lengths, strict=True):
        expect.array(result, (BATCH, length, D_MODEL), "tensor")
    expect.that(
        not torch.equal(hidden, everything),
        "With and without a mask, your module answers the same. Follow the mask through your code.",
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
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """Masks of any shape that broadcasts to (batch, n_heads, n_q, n_k) do what PyTorch's do.

    Batches as large as n_q, or as n_heads, tell code that goes by sizes from code that goes by
    places. Each query sees some key, and each key is seen by some query, so that no wrong answer
    divides by 0.
    """
    largest = max(BATCH, N_Q, N_HEADS)
    query, memory = draw(largest, N_Q, D_MODEL), draw(largest, N_K, D_MODEL)
    attention = loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), unbiased)
    theirs = pytorch_attention(unbiased)
    place = (torch.arange(N_K) - torch.arange(N_Q).unsqueeze(1)) % 3
    # The plain mask comes first: code that takes it for rows of sentences crashes, in one way only.
    masks: dict[Shape, torch.Tensor] = {
        shape: torch.where(place[: shape[-2]] == 2, draw(*shape) > 0, place[: shape[-2]] == 0)
        for shape in (SCORES[2:], SCORES[1:], (1, N_K), (BATCH, 1, 1, N_K), SCORES)
    }

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
def test_scores_of_some_hundreds_are_survived(
    student: Student, draw: Draw, by_hand: ByHand
) -> None:
    """Scores near 300 and -300 are all right, with a mask as well.

    Positive queries find the first key, negative ones the last; both heads are alike.
    """
    d_head, size = 4, torch.tensor([1.0, 0.9, 0.8])
    d_model = 2 * d_head
    key = (size.unsqueeze(-1) * torch.eye(1, d_head)).repeat(1, 2).expand(BATCH, 3, d_model)
    query = torch.tensor([600.0, -600, -600, 600]).view(1, 4, 1).expand(BATCH, 4, d_model)
    value, seen = draw(BATCH, 3, d_model), [1, 1, 0, 2]  # by each query, when there is a mask
    layers = by_hand(**dict.fromkeys(NAMES, torch.eye(d_model)))
    attention = loaded(student.MultiHeadAttention(d_model, 2), layers)
    expect.close(
        attention(query, key, value),
        value[:, [0, 2, 2, 0]],
        "With scores of some hundreds, above and below 0, the result isn't what it should be: one "
        "key fits far better than the others. Follow a score of 300, and one of -300, on the way "
        "to a weight.",
    )
    expect.close(
        attention(query, key, value, mask=torch.eye(3)[seen] == 1),
        value[:, seen],
        "With scores near 300 or -300 and a mask that leaves each query one key, that key's value "
        "doesn't come back. How does the score that you give to hidden keys compare with -300?",
    )


@points(1)
def test_one_module_serves_sequences_of_any_length(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """Where all keys are alike, a query finds the values' average: of 1 key or of 600.

    All weights are equal there, so neither the scale nor W_Q and W_K matter.
    """
    attention = loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), unbiased)
    key = draw(2, 1, D_MODEL)
    query, value = draw(2, N_Q, D_MODEL), draw(2, 600, D_MODEL)

    def ours(case: tuple[int, int, int]) -> Any:
        batch, n_q, n_k = case
        keys = key[:batch].expand(batch, n_k, D_MODEL)
        return attention(query[:batch, :n_q], keys, value[:batch, :n_k])

    def theirs(case: tuple[int, int, int]) -> Any:
        batch, n_q, n_k = case
        average = value[:batch, :n_k].mean(1, keepdim=True)
        return unbiased["W_O"](unbiased["W_V"](average)).expand(batch, n_q, D_MODEL)

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
def test_every_layer_learns(student: Student, draw: Draw, layers: Layers) -> None:
    """A gradient reaches all four layers, query, key and value, and nothing else is trained."""
    lengths = {"query": N_Q, "key": N_K, "value": N_K}
    inputs = {name: draw(BATCH, length, D_MODEL) for name, length in lengths.items()}
    cotangent = draw(BATCH, N_Q, D_MODEL)
    attention = student.MultiHeadAttention(D_MODEL, N_HEADS)
    loaded(attention, layers, no_bias="multi-head-no-bias")
    laws.learns(
        attention,
        *inputs.values(),
        cotangent=cotangent,
        numbers=4 * (D_MODEL + 1) * D_MODEL,
        reveals_more="multi-head-trains-too-much",
        reveals_fewer="multi-head-layers-frozen",
    )
    for place, name in enumerate(inputs):
        laws.reaches_input(
            attention, *inputs.values(), place=place, called=name, cotangent=cotangent
        )


@points(1)
def test_a_call_is_repeatable_and_leaves_its_inputs_alone(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """In either mode, with a mask or without, equal calls agree and all inputs stay as they are."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    attention = loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), unbiased)
    mask = (torch.arange(N_K) - torch.arange(N_Q).unsqueeze(1)) % N_K < 3
    masks = (None, mask)

    def results() -> Any:
        found = [attention(query, memory, memory, mask=mask) for mask in masks]
        for result in found:
            laws.changes_each_position(result, query)
        return torch.stack(found)

    attention(query, memory, memory, mask=mask[:1])  # hides keys from all, and may tempt to erase
    laws.ignores_its_mode(student, attention, results, reveals="multi-head-argument-changed")
