"""The encoder that hidden tests of `Encoder` compare with, and what they ask about its dropout."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect
from autograder.testing.failures import StudentRaised

from ..blocks import loaded
from ..dropout import WIDTH, are_among, check_each_is_drawn
from .sentences import N_HEADS

VOCAB = 11
D_FF = 512  # EncoderBlock's own: whether it is passed on is a question for one test


class Reference(nn.Module):
    """The encoder of Vaswani et al. 2017, made of PyTorch's own layers."""

    def __init__(self, positions: torch.Tensor, n_heads: int, d_ff: int, n_layers: int) -> None:
        super().__init__()
        d_model = positions.shape[1]
        self.positions = positions
        self.embedding = nn.Embedding(VOCAB, d_model)
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(d_model, n_heads, d_ff, batch_first=True)
            for _ in range(n_layers)
        )

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        """Return (batch, seq, d_model) for tokens (batch, seq)."""
        x: torch.Tensor = self.embedding(tokens) * math.sqrt(self.embedding.embedding_dim)
        x = x + self.positions[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x)
        return x

    def have_layers(self, number: int) -> None:
        """Have another number of layers: fewer, or the last one again."""
        layers = list(self.layers)
        self.layers = nn.ModuleList(layers[min(i, len(layers) - 1)] for i in range(number))


def encoder_of_size(
    student: Student, theirs: Reference, max_len: int = 40, dropout: float = 0.0
) -> ModuleProxy:
    """Make the student's encoder with the sizes of `theirs`."""
    encoder: ModuleProxy = student.Encoder(
        VOCAB,
        d_model=theirs.embedding.embedding_dim,
        n_heads=N_HEADS,
        d_ff=theirs.get_parameter("layers.0.linear1.bias").numel(),
        n_layers=len(theirs.layers),
        max_len=max_len,
        dropout=dropout,
    )
    return encoder


def encoder_with(student: Student, theirs: Reference, **settings: Any) -> ModuleProxy:
    """Make the student's encoder with the weights of `theirs`, in eval mode.

    If it has another number of layers, so has `theirs` from now on: how many are made is a question
    for one test.
    """
    encoder = encoder_of_size(student, theirs, **settings)
    number = number_of_layers(encoder.parameters())
    if number > len(theirs.layers):
        theirs.have_layers(number)
    try:
        return loaded(encoder, theirs)
    except StudentRaised as error:
        if error.type_name != "MissingParameter" or not 0 < number < len(theirs.layers):
            raise
        theirs.have_layers(number)
        return loaded(encoder, theirs)


def number_of_layers(names: Iterable[str]) -> int:
    """Return how many layers the parameters with these `names` belong to."""
    return len({name.split(".")[1] for name in names if name.startswith("layers.")})


def with_plain_norms(theirs: Reference) -> Reference:
    """Let no norm scale or shift; return `theirs`."""
    for name, parameter in theirs.named_parameters():
        if "norm" in name:
            parameter.fill_("weight" in name)
    return theirs


def known_input(theirs: Reference) -> Reference:
    """Let the first token's sum be 0 and 3 in turn, and attention add 1 to every fourth feature.

    Else the layers add nothing, and their norms are plain.
    """
    for name, parameter in with_plain_norms(theirs).named_parameters():
        if "norm" not in name:
            parameter.zero_()
    theirs.embedding.weight[:, 1::2] = 2 / math.sqrt(WIDTH)  # and 1 from the position
    theirs.get_parameter("layers.0.self_attn.out_proj.bias")[2::4] = 1
    return theirs


def sums(result: Any, batch: int) -> tuple[torch.Tensor, float]:
    """Return the sums, where attention added 1, and how unequal the features are that were 0."""
    expect.array(result, (batch, 1, WIDTH), "tensor")
    base, added, total = result[..., ::4], result[..., 2::4], result[..., 1::2]
    zero = base.mean(-1, keepdim=True)
    one = (added - zero).amax(-1, keepdim=True)
    return (total - zero) / one, float(((base - zero) / one).abs().max())


def check_sum_drops_out(encoder: ModuleProxy, calm: ModuleProxy, tokens: torch.Tensor) -> None:
    """Check that of a known input, the sum as a whole loses half, and the rest is doubled.

    Both encoders are in eval mode before and have the same weights; `calm` was made with
    dropout=0.0. What it doesn't do right in train mode isn't dropout's fault.
    """
    evaluated = encoder(tokens)
    assert sums(evaluated, len(tokens))[0].isfinite().all(), (
        "In eval mode already there is nan in what comes out, or infinity, so nothing can be said "
        "of dropout. Which other test fails?"
    )
    encoder.train()
    calm.train()
    result = encoder(tokens)
    usual, unequal = sums(calm(tokens), len(tokens))
    assert unequal < 0.01 and are_among(usual, 3.0), (
        "With dropout=0.0, and in train mode, what comes out isn't what we get from embeddings, "
        "positions and layers that we know, so nothing can be said of dropout. Which other test "
        "fails?"
    )
    found, unequal = sums(result, len(tokens))
    check_layers_keep_what_they_return(result, unequal)
    check_what_drops_out(found)
    check_rest_is_doubled(found, evaluated)
    check_each_is_drawn(
        "what goes into the first layer", found, reveals="encoder-dropout-in-groups"
    )


def is_steady(found: torch.Tensor) -> bool:
    """Tell whether all that is `found` is the same, in units of its size."""
    return torch.allclose(found, found.mean(), rtol=1e-3, atol=0)


def is_half_lost(result: torch.Tensor) -> bool:
    """Tell whether about half of all numbers are 0, which no norm makes of ours by itself."""
    return abs(float((result.abs() < 1e-6).float().mean()) - 0.5) < 0.1


def check_layers_keep_what_they_return(result: torch.Tensor, unequal: float) -> None:
    """Check that features which are 0 in the sum, and stay so in the layers, are hardly `unequal`.

    Noise makes them so, too: dropout at the end is named only where numbers are lost.
    """
    expect.that(
        unequal < 0.01 or not is_half_lost(result),
        "In train mode, what the layers return loses numbers. The dropout of step 2 acts on what "
        "goes into the first layer: where does yours stand?",
        reveals="encoder-dropout-at-the-end",
    )
    assert unequal < 0.01, (
        "In train mode with dropout=0.5, numbers change that are 0 in the sum and to which our "
        "layers add nothing. Dropout makes some numbers 0 and doubles the others, so what is 0 "
        "stays 0. What else do your encoder and its blocks do in train mode?"
    )


def check_what_drops_out(found: torch.Tensor) -> None:
    """Check that something of the sums `found` drops out, in one draw: of 3, 1 is the position.

    They are in units of what the layer adds, which is doubled by its own dropout.
    """
    expect.that(
        not is_steady(found),
        "In train mode with dropout=0.5, what goes into the first layer should drop out (§5.4), "
        "and doesn't.",
        reveals="encoder-no-dropout",
    )
    expect.that(
        not are_among(found, 0.5, 2.5),
        "In train mode the position always comes through whole, whatever drops out. Step 2 "
        "speaks of the sum of embedding and position: what does your dropout act on?",
        reveals="encoder-dropout-before-the-positions",
    )
    expect.that(
        not are_among(found, 1.0, 2.0),
        "In train mode the embedding always comes through whole, whatever drops out. Step 2 "
        "speaks of the sum of embedding and position: what does your dropout act on?",
        reveals="encoder-dropout-of-the-positions-alone",
    )
    halves = (2 * found).round()
    in_parts = len(set(halves.flatten().tolist())) > 2
    expect.that(
        not in_parts or bool(((2 * found - halves).abs() > 0.04).any()),
        "In train mode a feature of the sum is lost or kept, one of the two. In yours it may also "
        "be lost in part. How often do you draw what drops out, and of what?",
        reveals="encoder-dropout-in-two-parts",
    )


def check_rest_is_doubled(found: torch.Tensor, evaluated: Any) -> None:
    """Check that each of the sums `found` is 0 or 3, beside what the layer adds.

    If it is smaller, that is a missing factor only if what is `evaluated` is as large as it should.
    """
    if are_among(found, 0.0, 1.5):
        usual, _ = sums(evaluated, len(evaluated))
        expect.that(
            not are_among(usual, 3.0),
            "In train mode, what is left of the sum is smaller, beside what the layer adds, than "
            "it should be. What does dropout do to the numbers that it keeps, so that the mean "
            "stays?",
            reveals="encoder-dropout-not-scaled",
        )
    assert are_among(found, 0.0, 3.0), (
        "In train mode with dropout=0.5, what goes into the first layer should be lost by half, "
        "and the rest doubled, like all that drops out. Yours seems to get other numbers."
    )
