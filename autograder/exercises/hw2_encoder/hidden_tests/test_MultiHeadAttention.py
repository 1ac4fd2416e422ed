"""Hidden tests of `MultiHeadAttention`: laws and hand-picked heads, then agreement with PyTorch.

The reference is `nn.MultiheadAttention`, whose masks say True = may *not* attend. The module is in
eval mode and its biases are 0 unless these are what is tested. Each slip costs its own points: what
a test isn't about has no effect on its inputs. A single head can be split and joined in any way;
layers that are the identity may be exchanged; square scores whose best keys are all different don't
tell the axis of the softmax.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from contextlib import suppress
from copy import deepcopy
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn

from autograder.testing import Student, expect, forbids, laws, points
from autograder.testing.failures import StudentRaised

from ...blocks import WIDE, loaded, mistakable
from ..sentences import (
    check_sentences_may_change_places,
    check_something_is_computed,
    in_proportion,
)

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
HEADS = "each head works on columns of its own; side by side they are the result"
PROJECTIONS = "query, key and value each go through their own layer, and the result through `W_O`"
SCALE = "scores are divided by the right number"
MASK = "a hidden key counts for nothing, whatever shape the mask has"
MODULE = "a module that refuses heads that don't fit, learns, and serves any length and scores"
ROUNDED = 2e-5  # more than rounding leaves of a sum of a few values
MANY_TERMS = 1e-4  # the tolerance for sums of 600 float32 terms: their error is below 600 · 2⁻²⁴


@pytest.fixture
def layers(randomise: Callable[[Layers], Layers]) -> Layers:
    """The four linear layers, with random weights and biases."""
    return randomise(nn.ModuleDict({name: nn.Linear(D_MODEL, D_MODEL) for name in NAMES}))


@pytest.fixture
def find_hundreds(
    student: Student, draw: Draw, by_hand: ByHand
) -> Callable[[torch.Tensor | None], tuple[Any, torch.Tensor]]:
    """Let a single head meet scores of 300 and 240, and of -240 and -300.

    The first query finds the last key, the second one the first. Return the result with a mask, and
    the values as they were projected.
    """
    d_model = 4
    query = torch.tensor([[[480.0, 600], [600, 480]], [[-600, -480], [-480, -600]]])
    layers = by_hand(**dict.fromkeys(NAMES, torch.eye(d_model)) | {"W_V": draw(d_model, d_model)})

    def find(mask: torch.Tensor | None) -> tuple[Any, torch.Tensor]:
        memory = torch.eye(2, d_model).expand(BATCH, 2, d_model)
        attention = loaded(student.MultiHeadAttention(d_model, 1), layers)
        masked = {} if mask is None else {"mask": mask}
        result = attention(query @ torch.eye(2, d_model), memory, memory, **masked)
        return result, layers["W_V"](memory)

    return find


def check_is_soft(found: Any, values: torch.Tensor) -> None:
    """Require that what queries found isn't the plain mean of `values`, nor one of them.

    So it is with even weights, or with a hard choice. A head may choose for itself.
    """
    expect.array(found, (len(values), found.shape[1], values.shape[2]), "tensor")
    is_mean = torch.allclose(found, values.mean(1, keepdim=True).expand_as(found), atol=1e-3)
    away = (found[:, :, None] - values[:, None]).abs().amin(2)
    assert not is_mean and bool((away > 1e-3).any()), (
        "Each query of yours finds the plain mean of all values, or one of them alone. Softmax "
        "makes shares of the scores: the better a key fits, the larger, but something is left for "
        "the others."
    )


@points(3, HEADS)
def test_each_head_works_on_columns_of_its_own(
    student: Student, draw: Draw, by_hand: ByHand
) -> None:
    """Each head finds another token, and returns that token's columns h*d_head to (h+1)*d_head.

    A token has its number, one-hot, in each head, and a drawn feature behind it. Scores are so
    large that their scale has no effect, and no two queries of a head find the same token. Where
    scores are small, a head returns no token alone.
    """
    d_head, picks = 5, torch.tensor([[0, 3, 1], [2, 1, 0], [3, 0, 2], [1, 2, 3]])
    n, d_model, one_hot = len(picks), N_HEADS * d_head, torch.eye(len(picks), d_head)
    numbers = one_hot.repeat(1, N_HEADS).view(n, N_HEADS, d_head)
    numbers = numbers.expand(BATCH, -1, -1, -1).clone()
    numbers[..., -1] = draw(BATCH, n, N_HEADS)
    query = 190 * one_hot[picks].flatten(1).expand(BATCH, -1, -1)
    layers, memory = by_hand(**dict.fromkeys(NAMES, torch.eye(d_model))), numbers.flatten(-2)
    attention = loaded(student.MultiHeadAttention(d_model, N_HEADS), layers)
    picked = numbers[:, picks, torch.arange(N_HEADS)].flatten(-2)
    expect.close(
        attention(query, memory, memory),
        picked,
        "Made so that each head picks one token, yours bring back something else. Head h owns the "
        "columns h*d_head to (h+1)*d_head of every token, on the way in and on the way out, and "
        "each of its queries gives the keys weights that sum to 1. Print what a head gets, those "
        "sums, and what is joined: shapes can be right all the same, since `view` cuts axes, but "
        "never makes two change places.",
    )
    mixed = attention(1e-3 * query[:1], memory[:1], memory[:1])
    expect.array(mixed, tuple(picked[:1].shape), "tensor")
    assert not torch.allclose(mixed, picked[:1], atol=0.01), (
        "Where all keys fit a query nearly as well, your heads still pick one token. Softmax gives "
        "each key a share."
    )


@points(1, PROJECTIONS)
def test_a_single_key_is_passed_on_through_both_projections(
    student: Student, draw: Draw, layers: Layers
) -> None:
    """With one query and one key there is nothing to choose: the result is W_O(W_V(value)).

    With more keys, W_O maps what the heads have found, whatever that is.
    """
    query, key, value = (draw(BATCH, 1, D_MODEL) for _ in range(3))
    attention, one_head = (student.MultiHeadAttention(D_MODEL, n) for n in (N_HEADS, 1))
    for module in (attention, one_head):
        expect.close(
            loaded(module, layers, no_bias="multi-head-no-bias")(query, key, value),
            layers["W_O"](layers["W_V"](value)),
            "With a single key, all attention goes to it, so its value should come back after W_V "
            "and W_O, biases included, and nothing else. Which tensors, and which layers, does "
            "your result come from?",
        )
    memory, plain = draw(BATCH, N_K, D_MODEL), deepcopy(layers)
    plain["W_O"].load_state_dict({"weight": torch.eye(D_MODEL), "bias": torch.zeros(D_MODEL)})
    with suppress(StudentRaised):  # what fails with more keys than queries is another test's
        found = loaded(attention, plain)(query, memory, memory)
        expect.array(found, (BATCH, 1, D_MODEL), "tensor")
        expect.close(
            loaded(attention, layers)(query, memory, memory),
            layers["W_O"](found),
            "W_O doesn't get what the heads have found: with W_O as the identity, and with another "
            "one, your results don't fit together. On what do you apply W_O, and when?",
        )
    with suppress(StudentRaised):  # nor what fails with several queries
        several = loaded(attention, plain)(memory, memory, memory)
        check_is_soft(several, plain["W_V"](memory))


@points(2, SCALE)
def test_scores_are_divided_by_the_root_of_d_head(
    student: Student, rng: np.random.Generator, by_hand: ByHand
) -> None:
    """Two tokens, two heads, d_head = 16, 9, 5: each gives itself a share that is known, such as ¾.

    One token is the other times -1, and its two halves are so: cut and joined in any way, the
    heads find the same, but for signs. The root of 5 is no whole number.
    """
    share = int(rng.integers(60, 90)) / 100
    log_odds = math.log(share / (1 - share))
    for d_head in (16, 9, 5):
        half = torch.full((d_head,), math.sqrt(log_odds / 2 / math.sqrt(d_head)))
        tokens = torch.stack([torch.cat([half, -half]), torch.cat([-half, half])]).unsqueeze(0)
        layers = by_hand(**dict.fromkeys(NAMES, torch.eye(2 * d_head)))
        result = loaded(student.MultiHeadAttention(2 * d_head, 2), layers)(tokens, tokens, tokens)
        expect.array(result, (1, 2, 2 * d_head), "tensor")
        expect.close(
            result.abs(),
            (torch.tensor([[share, 1 - share], [1 - share, share]]) @ tokens).abs(),
            f"With two tokens and d_head = {d_head}, the result is not what we get by hand. If the "
            "test of a single key fails as well, start there. If not, look at what stands between "
            "product and softmax: what counts is how many features the product of a query and a "
            "key adds up.",
        )


@points(1, PROJECTIONS)
def test_queries_of_one_sequence_find_keys_of_another(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """With a single head, weights tell how well each key fits each query, where n_q ≠ n_k.

    Values are one-hot, so the result is the weights themselves. By logarithms they are the scores,
    times some number: which one has a test of its own. So it is with as many keys as a key has
    entries, where keys and their transpose have the same shape.
    """
    for name in ("W_V", "W_O"):
        unbiased[name].get_parameter("weight").copy_(torch.eye(D_MODEL))
    attention = loaded(student.MultiHeadAttention(D_MODEL, 1), unbiased)
    for n_k in (N_K, D_MODEL):
        query, key = draw(BATCH, N_Q, D_MODEL), mistakable(draw(BATCH, n_k, D_MODEL))
        weights = attention(query, key, torch.eye(n_k, D_MODEL).expand(BATCH, n_k, D_MODEL))
        expect.array(weights, (BATCH, N_Q, D_MODEL), "tensor")
        weights = weights[..., :n_k]
        says = (
            f"With a single head and {n_k} keys of {D_MODEL} entries, queries of one sequence "
            "don't find the keys of another as they should: a query's weights tell how well each "
            "key fits it. Does each argument go through its own layer, and does each query share "
            "out its attention among the keys?"
        )
        expect.close(weights.sum(-1), torch.ones(BATCH, N_Q), says, WIDE)
        assert (weights > 0).all(), says
        scores = unbiased["W_Q"](query) @ unbiased["W_K"](key).mT
        found, expected = in_proportion(weights.log(), scores)
        expect.close(found, expected, says, WIDE)


@points(1, MASK)
def test_a_hidden_key_is_as_if_it_were_not_there(
    student: Student,
    draw: Draw,
    unbiased: Layers,
    find_hundreds: Callable[[torch.Tensor | None], tuple[Any, torch.Tensor]],
) -> None:
    """With one head, keys whose mask is False may as well be left out; the others still count."""
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    seen_by_first, seen_by_others = [0, 1, 4, 6], [0, 2, 3, 5]
    mask = torch.zeros(N_Q, N_K, dtype=torch.bool)
    mask[:1, seen_by_first] = mask[1:, seen_by_others] = True
    attention = loaded(student.MultiHeadAttention(D_MODEL, 1), unbiased)
    first, others = memory[:, seen_by_first], memory[:, seen_by_others]
    hidden = attention(query, memory, memory, mask=mask)
    everything = attention(query, memory, memory)
    left_out = [
        attention(query[:, :1], first, first),
        attention(query[:, 1:], others, others),
    ]
    lengths = (N_Q, N_Q, 1, N_Q - 1)
    for result, length in zip((hidden, everything, *left_out), lengths, strict=True):
        expect.array(result, (BATCH, length, D_MODEL), "tensor")
    if torch.equal(hidden, everything):  # as among several heads? Else one head has other reasons
        several = loaded(student.MultiHeadAttention(D_MODEL, 2), unbiased)
        unmasked = several(query, memory, memory)
        for_all = torch.arange(N_K).expand(N_Q, N_K) < N_K - 1  # a key that no query sees
        of_each = mask.expand(BATCH, 2, N_Q, N_K)
        expect.that(
            not all(
                torch.equal(several(query, memory, memory, mask=some), unmasked)
                for some in (mask, for_all, of_each)
            ),
            "With and without a mask, your module answers the same. Follow the mask through your "
            "code.",
            reveals="multi-head-mask-without-effect",
        )
    check_is_soft(everything, unbiased["W_O"](unbiased["W_V"](memory)))
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
    result, value = find_hundreds(torch.eye(2, dtype=torch.bool))
    expect.array(result, tuple(value.shape), "tensor")
    expect.that(
        not torch.allclose(result, torch.stack([value[0], value[1].flip(0)]), atol=WIDE),
        "With scores near -300 and a mask that leaves each query one key, the value of the hidden "
        "key comes back. How does the score that you give to hidden keys compare with -300?",
        "multi-head-hidden-scores-not-low-enough",
    )
    expect.close(
        result,
        value,
        "With scores near 300 or -300 and a mask that leaves each query one key, that key's value "
        "doesn't come back. If the test of a single key fails as well, start there. If not: how "
        "does the score that you give to hidden keys compare with -300?",
    )


@points(1, MASK)
def test_masks_of_each_sentence_and_of_each_head_are_obeyed(
    student: Student, draw: Draw, by_hand: ByHand
) -> None:
    """Whatever shape a mask has, queries that find all keys alike average those that they may see.

    All keys are alike, so neither their scale nor W_Q and W_K matter. Batches as large as n_q, or
    as n_heads, tell code that goes by sizes from code that goes by places. Each query sees some
    key, and each key is seen by some query, so that no wrong answer divides by 0.
    """
    largest = max(BATCH, N_Q, N_HEADS)
    eye, none = torch.eye(D_MODEL), torch.zeros(D_MODEL, D_MODEL)
    layers = by_hand(W_Q=none, W_K=none, W_V=eye, W_O=eye)
    query, memory = draw(largest, N_Q, D_MODEL), draw(largest, N_K, D_MODEL)
    attention = loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), layers)
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
        seen = masks[shape].expand(batch, *SCORES[1:]).float()
        heads = memory[:batch].view(batch, N_K, N_HEADS, -1).transpose(1, 2)
        return (seen / seen.sum(-1, keepdim=True) @ heads).transpose(1, 2).flatten(-2)

    averaging = loaded(student.MultiHeadAttention(D_MODEL, 1), layers)
    check_hidden_keys_get_nothing(
        averaging(query[:BATCH], memory[:BATCH], memory[:BATCH], mask=masks[SCORES[2:]]),
        masks[SCORES[2:]],
        memory[:BATCH],
    )
    laws.agrees_at(
        [*((BATCH, shape) for shape in masks), (N_Q, SCORES[2:]), (N_HEADS, SCORES[1:])],
        ours,
        expected,
        lambda case: (
            f"With keys that are all alike and a mask of shape {case[1]}, the result isn't the "
            "average of the values that each query sees. If the test before this one fails as "
            "well, or that of the heads, start there. Masks broadcast to (batch, n_heads, n_q, "
            f"n_k) = {(case[0], *SCORES[1:])} as they are: the last axis is the keys'. What do you "
            "do to the shape of a mask, and do you keep one?"
        ),
    )
    earlier, same = torch.ones(N_Q, N_Q, dtype=torch.bool).tril(), memory[:BATCH, :N_Q]
    expect.close(
        averaging(query[:BATCH], same, same, mask=earlier),
        earlier.float() / earlier.sum(-1, keepdim=True) @ same,
        "With as many keys as queries, and a mask that isn't symmetric, the result isn't the "
        "average of the values that each query sees. A row of the mask belongs to a query.",
    )
    one_head = loaded(student.MultiHeadAttention(D_MODEL, 1), by_hand(**dict.fromkeys(NAMES, eye)))
    keys, everything = memory[:BATCH], torch.ones(N_Q, N_K, dtype=torch.bool)
    check_is_soft(one_head(query[:BATCH], keys, keys, mask=everything), keys)


def check_hidden_keys_get_nothing(found: Any, mask: torch.Tensor, values: torch.Tensor) -> None:
    """Require that hidden keys don't get one and the same share of what each visible one gets.

    All keys fit alike. Of each query (a + t·b) / (m + t·n) comes back, where a and b are the sums
    of the values that it sees and of those hidden from it, and m and n their numbers: t is e to the
    power of the score of hidden keys. Whatever else comes back is for others to judge.
    """
    expect.array(found, (BATCH, N_Q, D_MODEL), "tensor")
    seen, hidden = mask.float(), (~mask).float()
    lacks, beyond = (found * each.sum(-1, keepdim=True) - each @ values for each in (seen, hidden))
    share = -(lacks * beyond).sum() / beyond.square().sum()
    error, size = ((lacks + part).abs().max() for part in (share * beyond, 0))
    expect.that(
        not (error < 0.1 * size and size > ROUNDED and 0 < share < 1 - WIDE),
        "Where all keys fit a query alike, those that the mask hides get a share as well, if a "
        "smaller one than the others. How low is a hidden score when it comes to the softmax?",
        "multi-head-hidden-scores-in-sight",
    )


@points(1, MODULE)
def test_four_layers_are_made_for_columns_that_the_heads_can_share(
    student: Student, draw: Draw, by_hand: ByHand
) -> None:
    """A d_model that n_heads does not divide is a ValueError; one that it divides is fine."""
    made = student.MultiHeadAttention(d_model=9, n_heads=3)
    x = draw(2, 3, 9)
    attention = loaded(made, by_hand(**dict.fromkeys(NAMES, torch.eye(9))))
    check_something_is_computed(attention, x, x, x)
    with suppress(StudentRaised):  # other tests say so
        found = attention(x, x, x)
        if getattr(found, "shape", None) == x.shape:
            check_is_soft(found, x)
    for d_model, n_heads in ((10, 3), (4, 8)):
        with expect.raises(
            "ValueError",
            f"{d_model} columns can't be shared out equally among {n_heads} heads. "
            "Raise a ValueError when such a module is made.",
        ):
            student.MultiHeadAttention(d_model, n_heads)


@points(1, MODULE)
def test_every_layer_learns(student: Student, draw: Draw, layers: Layers) -> None:
    """A gradient reaches all four layers, query, key and value, and nothing else is trained."""
    inputs = {name: draw(BATCH, N_K, D_MODEL) for name in ("query", "key", "value")}
    cotangent = draw(BATCH, N_K, D_MODEL)
    attention = student.MultiHeadAttention(D_MODEL, N_HEADS)
    loaded(attention, layers, no_bias="multi-head-no-bias")
    laws.learns(
        attention,
        *inputs.values(),
        cotangent=cotangent,
        draw=draw,
        numbers=4 * (D_MODEL + 1) * D_MODEL,
        reveals_more="multi-head-trains-too-much",
        reveals_fewer="multi-head-layers-frozen",
        unused=("W_K.bias",),  # it moves all scores of a query alike
    )
    for place, name in enumerate(inputs):
        laws.reaches_input(
            attention, *inputs.values(), place=place, called=name, cotangent=cotangent
        )


@points(1, MODULE)
def test_one_module_serves_any_length_and_mode_and_leaves_its_inputs_alone(
    student: Student,
    draw: Draw,
    unbiased: Layers,
    by_hand: ByHand,
    find_hundreds: Callable[[torch.Tensor | None], tuple[Any, torch.Tensor]],
) -> None:
    """Equal calls agree, in either mode, and inputs stay as they are: with 1 token, or with 600.

    Where W_Q and W_K are 0, a single head finds the values' average. Scores of hundreds are fine.
    """
    query, memory = draw(BATCH, N_Q, D_MODEL), draw(BATCH, N_K, D_MODEL)
    attention = loaded(student.MultiHeadAttention(D_MODEL, N_HEADS), unbiased)
    mask = (torch.arange(N_K) - torch.arange(N_Q).unsqueeze(1)) % N_K < 3
    masks = (None, mask)

    def results() -> Any:
        found = [attention(query, memory, memory, mask=mask) for mask in masks]
        for result in found:
            laws.changes_each_position(result, query)
        return torch.stack(found)

    laws.ignores_its_mode(student, attention, results, reveals="multi-head-argument-changed")
    check_sentences_may_change_places(lambda x: attention(x, x, x), query)

    eye, none = torch.eye(D_MODEL), torch.zeros(D_MODEL, D_MODEL)
    layers = by_hand(W_Q=none, W_K=none, W_V=eye, W_O=eye)
    averaging = loaded(student.MultiHeadAttention(D_MODEL, 1), layers)
    x = draw(2, 600, D_MODEL)

    def ours(case: tuple[int, int]) -> Any:
        batch, n = case
        return averaging(x[:batch, : min(n, N_Q)], x[:batch, :n], x[:batch, :n])

    def theirs(case: tuple[int, int]) -> Any:
        batch, n = case
        return x[:batch, :n].mean(1, keepdim=True).expand(batch, min(n, N_Q), D_MODEL)

    laws.agrees_at(
        ((1, 1), (2, 4), (1, 600), (2, 1), (1, 3)),
        ours,
        theirs,
        lambda case: (
            f"With key and value of shape {(*case, D_MODEL)}, where all keys are alike, "
            "the result isn't the values' average. One module met inputs of several sizes. If "
            "other tests fail as well, start there. If not: what in your code depends on the sizes?"
        ),
        tolerance=MANY_TERMS,
    )
    result, value = find_hundreds(None)
    expect.close(
        result,
        value.flip(1),
        "With scores of some hundreds, above and below 0, the result isn't what it should be: one "
        "key fits far better than the other. Follow a score of 300, and one of -300, on the way to "
        "a weight.",
    )
    # What hides keys from all may tempt to erase them. It comes last: some wrong answers make nan.
    laws.leaves_inputs_alone(
        student,
        lambda: attention(query, memory, memory, mask=mask[:1]),
        reveals="multi-head-argument-changed",
    )
