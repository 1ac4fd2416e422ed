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
from ..dropout import WIDTH
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


def check_sum_drops_out(encoder: ModuleProxy, tokens: torch.Tensor) -> None:
    """Check that of a known input, the sum as a whole loses half, and the rest is doubled."""
    usual, unequal = sums(encoder(tokens), len(tokens))
    assert unequal < 0.01 and bool(((usual - 3).abs() < 0.02).all()), (
        "In eval mode already, what comes out isn't what we get from embeddings, positions and "
        "layers that we know, so nothing can be said of dropout. Which other test fails?"
    )
    encoder.train()
    found, unequal = sums(encoder(tokens), len(tokens))
    expect.that(
        unequal < 0.01,
        "In train mode, what the layers return loses numbers. The dropout of step 2 acts on what "
        "goes into the first layer: where does yours stand?",
        reveals="encoder-dropout-at-the-end",
    )
    expect.that(
        float(found.max() - found.min()) > 0.01,
        "In train mode with dropout=0.5, what goes into the first layer should drop out (§5.4), "
        "and doesn't.",
        reveals="encoder-no-dropout",
    )
    expect.that(
        abs(float(found.min()) - 0.5) > 0.02,
        "In train mode the position always comes through whole, whatever drops out. Step 2 "
        "speaks of the sum of embedding and position: what does your dropout act on?",
        reveals="encoder-dropout-before-the-positions",
    )
    check_rest_is_doubled(found, float(usual.mean()))


def check_rest_is_doubled(found: torch.Tensor, usual: float) -> None:
    """Check that each of the sums `found` is lost, or twice the `usual` beside what is added."""
    least, most = float(found.min()), float(found.max())
    expect.that(
        bool((((found - least) < 0.02) | ((most - found) < 0.02)).all()),
        "In train mode a feature of the sum is lost or kept, one of the two. In yours it may also "
        "be lost in part. How often do you draw what drops out, and of what?",
        reveals="encoder-dropout-in-two-parts",
    )
    expect.that(
        abs(most / usual - 0.5) > 0.02,
        "In train mode, what is left of the sum is smaller, beside what the layer adds, than it "
        "should be. What does dropout do to the numbers that it keeps, so that the mean stays?",
        reveals="encoder-dropout-not-scaled",
    )
    assert least < 0.02 and abs(most / usual - 1) < 0.02, (
        "In train mode with dropout=0.5, what goes into the first layer should be lost by half, "
        "and the rest doubled, like all that drops out. Yours seems to get other numbers."
    )
