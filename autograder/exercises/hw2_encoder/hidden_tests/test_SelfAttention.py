"""Hidden tests of `SelfAttention`: laws and hand-computed weights, then agreement with PyTorch.

The head is in eval mode and its biases are 0 unless these are what is tested, and what doesn't
depend on the scale is tested where the scale has no effect: each slip costs its own points.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from autograder.testing import Student, expect, forbids, laws, points

from ...blocks import WIDE, loaded, mistakable, silence
from ..sentences import check_sentences_may_change_places, in_proportion

Draw = Callable[..., torch.Tensor]
Layers = nn.ModuleDict

pytestmark = forbids(
    "torch.nn.functional.scaled_dot_product_attention",
    "torch.nn.functional.multi_head_attention_forward",
    "torch.nn.MultiheadAttention.__init__",
)

BATCH, SEQ, D_MODEL, D_K = 3, 5, 8, 7
SHARES = "each token divides its attention among all, however large the scores are"
SCALE = "scores are divided by the right number"
OUTPUT = "the output averages what `W_V` makes by these weights, and comes first"
MODULE = "a module that learns, serves any length, and leaves its input alone"
MANY_TERMS = 1e-4  # the tolerance for sums of 600 float32 terms: their error is below 600 · 2⁻²⁴


def linear_layers(d_k: int) -> Layers:
    """Make the three linear layers of a head."""
    return nn.ModuleDict({name: nn.Linear(D_MODEL, d_k) for name in ("W_Q", "W_K", "W_V")})


@pytest.fixture
def layers(randomise: Callable[[Layers], Layers]) -> Layers:
    """The three linear layers of a head, with random weights and biases."""
    return randomise(linear_layers(D_K))


def unpack(result: Any, seq: int) -> tuple[Any, Any]:
    """Unpack (output, weights), in either order: the order has a test of its own."""
    first, second = expect.pair(result, "output", "weights")
    swapped = tuple(getattr(first, "shape", ()))[-2:] == (seq, seq)
    return (second, first) if swapped else (first, second)


def check_is_soft(weights: Any) -> None:
    """Require that some token looks at several tokens, and at one more than at another.

    Neither even weights nor a hard choice do so; wrong ones of other kinds may.
    """
    expect.array(weights, (BATCH, SEQ, SEQ), "tensor")
    lowest = weights.masked_fill(weights == 0, math.inf).amin(-1)
    highest = weights.masked_fill(weights == 0, -math.inf).amax(-1)
    assert (highest - lowest > 1e-3).any(), (
        "Each token of yours looks at all in equal shares, or at one alone. Softmax makes shares "
        "of the scores: the better a key fits, the larger, but something is left for the others."
    )


@points(1, SHARES)
def test_each_token_shares_out_its_attention(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """The weights of each token sum to 1, and they tell how well each key fits its query.

    By logarithms they are the scores, times some number: which one has a test of its own. So it is
    with as many tokens as W_K has columns, where keys and their transpose have the same shape, and
    with as many sentences, where sizes don't tell the axes apart.
    """
    X, as_many = mistakable(draw(BATCH, SEQ, D_MODEL)), draw(D_K, D_K, D_MODEL)
    head = loaded(student.SelfAttention(D_MODEL, D_K), unbiased)
    pair, pair_of_as_many = (expect.pair(head(x), "output", "weights") for x in (X, as_many))
    _, weights = unpack(pair, SEQ)
    expect.array(weights, (BATCH, SEQ, SEQ), "tensor")
    expect.close(
        weights.sum(-1),
        torch.ones(BATCH, SEQ),
        "The weights of a token (a row) don't sum to 1. Softmax shares out each query's attention "
        "among the keys.",
    )
    expect.that(
        bool(weights.triu(1).any()) or not weights.tril(-1).any(),
        "Each token gives a weight of 0 to all that come after it. Nobody is hidden here: every "
        "token may look at every token.",
        "self-attention-always-causal",
    )
    scores = unbiased["W_Q"](X) @ unbiased["W_K"](X).mT
    least = scores.amax(-1) - 1e-4  # of two keys that fit equally well, either may be the best
    chosen = scores.gather(-1, weights.argmax(-1, keepdim=True)).squeeze(-1)
    assert (chosen >= least).all(), (
        "A token gives its largest weight to another key than the one that fits its query best. "
        "Row i should compare the query of token i with each key, and both come from projections."
    )
    assert (weights > 0).all(), (
        "Some of your weights are 0. No token is hidden here, and softmax gives each at least a "
        "little. Which line hides or rounds away what is small?"
    )
    expect.close(
        *in_proportion(weights.log(), scores),
        "Each token gives most to the key that fits it best, but the rest isn't shared out by how "
        "well keys fit. Is every score a product of a query and a key as they were projected, and "
        "does softmax come once, after it?",
        WIDE,
    )
    weights = pair_of_as_many[0 if weights is pair[0] else 1]
    expect.array(weights, (D_K, D_K, D_K), "tensor")
    expect.close(
        *in_proportion(weights.log(), unbiased["W_Q"](as_many) @ unbiased["W_K"](as_many).mT),
        f"In {BATCH} sentences of {SEQ} tokens attention is shared out by how well keys fit. In "
        f"{D_K} of {D_K} tokens, as many as W_K has columns, it isn't. What does your code decide "
        "by looking at sizes?",
        WIDE,
    )
    _, of_many = unpack(head(draw(1, 70, D_MODEL) / 2), 70)
    expect.array(of_many, (1, 70, 70), "tensor")
    assert (of_many > 0).all(), (
        "In a sentence of 70 tokens some of your weights are 0, and in a short one none is. "
        "However many there are, softmax gives each at least a little."
    )
    _, of_one = unpack(head(X[:, :1]), 1)
    expect.array(of_one, (BATCH, 1, 1), "tensor", "Here each sentence is a single token.")


@points(2, SCALE)
def test_scores_are_divided_by_the_root_of_d_k(
    student: Student, rng: np.random.Generator, by_hand: Callable[..., Layers]
) -> None:
    """Two tokens with d_k = 16, 9 or 5: each gives itself a share that is known, such as ¾.

    The weights are symmetric, so the axis of the softmax doesn't matter. The root of 5 is no whole
    number.
    """
    d_model, share = 3, int(rng.integers(60, 90)) / 100
    for d_k in (16, 9, 5):
        eye = torch.eye(d_k, d_model)
        odds = share / (1 - share)
        same = math.sqrt(math.sqrt(d_k) * math.log(odds)) * eye  # own score √d_k ln odds, other 0
        layers = by_hand(W_Q=same, W_K=same, W_V=same)
        head = loaded(student.SelfAttention(d_model, d_k), layers)
        _, returned = unpack(head(torch.eye(2, d_model).unsqueeze(0)), seq=2)
        expect.close(
            returned,
            torch.tensor([[[share, 1 - share], [1 - share, share]]]),
            f"With two tokens and d_k = {d_k}, the weights aren't those that we get by hand. If "
            "the test before this one fails as well, start there. If not: between product and "
            "softmax, equation 1 has one step. Is it there, and is it the only one?",
        )


@points(1, OUTPUT)
def test_the_output_averages_the_projected_values(
    student: Student, draw: Draw, unbiased: Layers
) -> None:
    """Whatever the returned weights are, the output is the values W_V(X), averaged by them."""
    X = draw(BATCH, SEQ, D_MODEL)
    output, weights = unpack(loaded(student.SelfAttention(D_MODEL, D_K), unbiased)(X), SEQ)
    expect.array(weights, (BATCH, SEQ, SEQ), "tensor")
    expect.array(output, (BATCH, SEQ, D_K), "tensor")
    assert weights.any(), "All your weights are 0, so no token attends to anything."
    check_is_soft(weights)
    expect.close(
        output,
        weights @ unbiased["W_V"](X),
        "The output isn't what your own weights make of the values W_V(X). Row i of the weights "
        "belongs to output i. What do you multiply, and are those the weights that you return?",
    )


@points(1, OUTPUT)
def test_output_and_weights_agree_with_pytorch(
    student: Student, draw: Draw, randomise: Callable[[Layers], Layers]
) -> None:
    """The pair (output, weights), in this order, is that of PyTorch's own attention.

    So it is where d_k = d_model: only the numbers tell a square matrix from its transpose. All
    queries are 0, so neither the scale nor the axis of the softmax has an effect.
    """
    X = draw(BATCH, SEQ, D_MODEL)
    for d_k in (D_K, D_MODEL):
        layers, head = randomise(linear_layers(d_k)), student.SelfAttention(D_MODEL, d_k)
        silence(layers["W_Q"])
        loaded(head, layers, no_bias="self-attention-no-bias")
        output, weights = expect.pair(head(X), "output", "weights")
        assert tuple(getattr(output, "shape", ())) != (BATCH, SEQ, SEQ), (
            "The first of your two results has the shape of the weights. The output comes first "
            "and the weights second, as in PyTorch's own attention."
        )
        expect.array(output, (BATCH, SEQ, d_k), "tensor")
        Q, K, V = (layer(X) for layer in layers.values())
        expect.close(
            output,
            scaled_dot_product_attention(Q, K, V),
            f"With d_model = {D_MODEL} and d_k = {d_k}, and all queries at 0, the output differs "
            "from PyTorch's with the same weights and biases. All tokens fit equally well there. "
            "Is each layer used once and as a whole, bias included, and averaged over all tokens?",
        )
        expect.close(
            weights,
            scaled_dot_product_attention(Q, K, torch.eye(SEQ).expand(BATCH, SEQ, SEQ)),
            "The weights differ from PyTorch's, though the output doesn't. Return the weights "
            "that the values were averaged with.",
        )
    layers = randomise(linear_layers(D_K))
    check_is_soft(unpack(loaded(student.SelfAttention(D_MODEL, D_K), layers)(X), SEQ)[1])


@points(1, SHARES)
def test_scores_of_some_hundreds_are_survived(
    student: Student, draw: Draw, by_hand: Callable[..., Layers]
) -> None:
    """Scores near 200 and -200 are all right: each token finds the key with the higher one.

    In one sentence that is the token itself, in the other it isn't.
    """
    known = torch.tensor([[[1.0, 400], [0.75, -400]], [[1.0, -400], [0.75, 400]]])
    X = torch.cat([known, draw(2, 2, 1)], dim=-1)
    key, query, passed_on = (torch.cat([row[None], torch.zeros(3, 3)]) for row in torch.eye(3))
    layers = by_hand(W_Q=query, W_K=key, W_V=passed_on)
    output, weights = unpack(loaded(student.SelfAttention(3, 4), layers)(X), seq=2)
    says = (
        "With scores of some hundreds, above and below 0, the result isn't what it should be: one "
        "key fits far better than the other. If other tests of the weights fail as well, start "
        "there. If not: what becomes of a score of 200 on its way to a weight?"
    )
    expect.close(weights, torch.stack([torch.eye(2), torch.eye(2).flip(0)]), says)
    expect.array(output, (2, 2, 4), "tensor")
    assert output.isfinite().all(), says


@points(1, MODULE)
def test_every_layer_learns(student: Student, draw: Draw, layers: Layers) -> None:
    """A gradient reaches the three layers and X, and nothing else is trained."""
    seq = D_K  # output and weights have the same shape: their order doesn't matter here
    X, cotangent = draw(BATCH, seq, D_MODEL), draw(BATCH, seq, D_K)
    head = loaded(student.SelfAttention(D_MODEL, D_K), layers, no_bias="self-attention-no-bias")
    laws.learns(
        head,
        X,
        cotangent=cotangent,
        draw=draw,
        numbers=3 * (D_MODEL + 1) * D_K,
        reveals_more="self-attention-trains-too-much",
        reveals_fewer="self-attention-layers-frozen",
        unused=("W_K.bias",),  # it moves all scores of a query alike
    )
    laws.reaches_input(head, X, place=0, called="X", cotangent=cotangent)


@points(1, MODULE)
def test_one_head_serves_any_length_and_mode_and_leaves_its_input_alone(
    student: Student, draw: Draw, by_hand: Callable[..., Layers]
) -> None:
    """Equal calls agree, in either mode, and X stays as it is; so with 1 token as with 600.

    Copies of a token agree on its own value, whatever the scale and the axis of the softmax.
    """
    eye, X = torch.eye(D_MODEL), draw(BATCH, SEQ, D_MODEL)
    made = student.SelfAttention(d_model=D_MODEL, d_k=D_MODEL)
    head = loaded(made, by_hand(W_Q=eye, W_K=eye, W_V=eye))

    def output() -> Any:
        result, weights = unpack(head(X), SEQ)
        laws.changes_each_position(result, X)
        check_is_soft(weights)
        return result

    _, weights = unpack(head(X), SEQ)
    _, others = unpack(head(draw(BATCH, SEQ, D_MODEL)), SEQ)
    assert not torch.allclose(weights, others, atol=1e-3), (
        "Your weights are the same for two X that have nothing in common. What are they made of?"
    )
    laws.ignores_its_mode(student, head, output, reveals="self-attention-changes-its-input")
    check_sentences_may_change_places(lambda x: unpack(head(x), SEQ)[0], X)
    token = draw(2, 1, D_MODEL)

    def copies(case: tuple[int, int]) -> Any:
        batch, seq = case
        return token[:batch].expand(batch, seq, D_MODEL)

    laws.agrees_at(
        ((1, 1), (2, 3), (1, 600), (2, 1), (1, 2)),
        lambda case: unpack(head(copies(case)), case[1])[0],
        copies,
        lambda case: (
            f"With X of shape {(*case, D_MODEL)}, where a sentence is one token again and again, "
            "the output isn't that token's value. One head met X of several sizes. What in your "
            "code depends on the sizes?"
        ),
        tolerance=MANY_TERMS,
    )
