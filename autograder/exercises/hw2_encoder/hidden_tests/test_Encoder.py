"""Hidden tests of `Encoder`: what goes into the layers, the layers, and what holds for all modules.

The reference is made of PyTorch's embedding and `nn.TransformerEncoderLayer`s. Where the layers are
not what is tested, their sublayers are set to zero and their norms are plain, so that nothing but
one norm remains of any number of them, in any order.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from copy import deepcopy

import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws, points
from autograder.testing.failures import StudentRaised

from ...blocks import WIDE, check_others_are_seen, loaded, padding_of
from ...dropout import WIDTH, check_nothing_drops_out, check_share
from ..sentences import (
    BATCH,
    D_MODEL,
    LENGTHS,
    N_HEADS,
    SEQ,
    check_padding_is_hidden,
    check_sizes_in_any_order,
)
from ..sum_dropout import check_sum_drops_out, sums

Draw = Callable[..., torch.Tensor]

INPUT = "embeddings times √d_model, plus the positions"
LAYERS = "the layers one after the other, each with weights of its own"
PADDING = "the padding is hidden in every layer"
MAX_LEN = "up to `max_len` tokens, and a `ValueError` beyond"
DROPOUT = "the sum drops out, in train mode only"
MODULE = "a module that learns, serves any length, and leaves its inputs alone"

VOCAB = 11
D_FF = 512  # EncoderBlock's own: whether it is passed on is a question for one test
NUMBERS = VOCAB * D_MODEL + 2 * (
    4 * D_MODEL**2 + 9 * D_MODEL + (2 * D_MODEL + 1) * D_FF
)  # of embedding and two layers
MANY = 2e-4  # the tolerance for positions beyond 60


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

    def have_rows(self, shape: tuple[int, ...]) -> None:
        """Have an embedding of this shape, if that only has some rows more."""
        rows, d_model = self.embedding.weight.shape
        if len(shape) == 2 and shape[1] == d_model and rows < shape[0] <= rows + 2:
            weight = nn.functional.pad(self.embedding.weight, (0, 0, 0, shape[0] - rows))
            self.embedding = nn.Embedding(*weight.shape).requires_grad_(False)
            self.embedding.weight.copy_(weight)


MakeReference = Callable[..., Reference]


@pytest.fixture
def reference(
    randomise: Callable[[Reference], Reference], sinusoids: Callable[[int, int], torch.Tensor]
) -> MakeReference:
    """Make a reference with random weights; `silent=True`: with all its sublayers at zero."""

    def reference(
        n_layers: int = 2,
        silent: bool = False,
        seq: int = SEQ,
        d_model: int = D_MODEL,
        n_heads: int = N_HEADS,
        d_ff: int = D_FF,
    ) -> Reference:
        theirs = randomise(Reference(sinusoids(seq, d_model), n_heads, d_ff, n_layers))
        for name, parameter in theirs.named_parameters():
            if silent and ("out_proj" in name or "linear2" in name):
                parameter.zero_()
        return theirs

    return reference


@pytest.fixture
def tokens(draw_tokens: Draw) -> torch.Tensor:
    return draw_tokens(BATCH, SEQ, vocab_size=VOCAB)


def encoder_with(
    student: Student, theirs: Reference, max_len: int = 40, dropout: float = 0.0
) -> ModuleProxy:
    """Make the student's encoder with the sizes and weights of `theirs`, in eval mode.

    If it has another number of layers, or an embedding of more rows, so has `theirs` from now on:
    how many are made is a question for one test.
    """
    encoder: ModuleProxy = student.Encoder(
        VOCAB,
        d_model=theirs.embedding.embedding_dim,
        n_heads=N_HEADS,
        d_ff=theirs.get_parameter("layers.0.linear1.bias").numel(),
        n_layers=len(theirs.layers),
        max_len=max_len,
        dropout=dropout,
    )
    names = encoder.parameters()
    theirs.have_rows(names.get("embedding.weight", ()))
    number = len({name.split(".")[1] for name in names if name.startswith("layers.")})
    if number > len(theirs.layers):
        theirs.have_layers(number)
    try:
        return loaded(encoder, theirs)
    except StudentRaised as error:
        if error.type_name != "MissingParameter" or not 0 < number < len(theirs.layers):
            raise
        theirs.have_layers(number)
        return loaded(encoder, theirs)


def embedding_with(student: Student, theirs: Reference, max_len: int = 40) -> ModuleProxy:
    """Make an encoder as `encoder_with` does, also where PyTorch sees no layers in it."""
    try:
        return encoder_with(student, theirs, max_len)
    except StudentRaised as error:
        if error.type_name != "MissingParameter" or "plain" not in error.detail:
            raise
    sizes = {"d_model": D_MODEL, "n_heads": N_HEADS, "d_ff": D_FF, "n_layers": len(theirs.layers)}
    encoder: ModuleProxy = student.Encoder(VOCAB, **sizes, max_len=max_len, dropout=0.0)
    encoder.load({"embedding.weight": theirs.embedding.weight})
    encoder.eval()
    return encoder


def check_zero_is_a_word(student: Student, theirs: Reference, tokens: torch.Tensor) -> None:
    """Require that, without a mask, token 0 is treated as others with the same embedding are.

    That is 0, so that it makes no difference if a wrong answer takes it away. Where the result
    differs between two other tokens as well, something else is wrong, which other tests say.
    """
    theirs.embedding.weight[:3] = 0
    encoder, results = embedding_with(student, theirs), []
    for word in range(3):
        text = tokens.clamp(min=3)
        text[:, SEQ // 2] = word
        results.append(encoder(text))
    with_zero, with_one, with_two = results
    for result in results:
        expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    expect.that(
        torch.allclose(with_zero, with_one, atol=WIDE)
        or not torch.allclose(with_one, with_two, atol=WIDE),
        "Three words had the same embedding, and one took the place of another in sentences "
        "without a mask. For two of them the result is the same; for word number 0 it isn't. Where "
        "does your code ask for this number, and what does the exercise say is padding?",
        "encoder-token-zero-taken-for-padding",
    )


def with_plain_norms(theirs: Reference) -> Reference:
    """Let no norm scale or shift; return `theirs`."""
    for name, parameter in theirs.named_parameters():
        if "norm" in name:
            parameter.fill_("weight" in name)
    return theirs


@points(1, INPUT)
def test_positions_are_added_to_the_embeddings(
    student: Student, reference: MakeReference, tokens: torch.Tensor
) -> None:
    """With all embeddings at zero, the positions go into the layers, up to the last of 520.

    Padding in front of a sentence has a place, too. Layers in which all sublayers are zero have no
    use for a mask.
    """
    theirs, longer = (with_plain_norms(reference(silent=True, seq=seq)) for seq in (SEQ, 520))
    many = torch.zeros(1, 520, dtype=torch.int64)
    for each in (theirs, longer):
        each.embedding.weight.zero_()
    encoder, padding = encoder_with(student, theirs), padding_of(LENGTHS, SEQ).flip(1)
    short, behind_padding = encoder(tokens), encoder(tokens, key_padding_mask=padding)
    long = encoder_with(student, longer, max_len=521)(many)
    expect.close(
        short,
        theirs(tokens),
        "We set all embeddings and all sublayers to zero, so that only the positional encoding, "
        "row t for token t of every sentence, should come out, normalised by the layers. Something "
        "else does. What goes into your layers, and is anything added on the way through them?",
        WIDE,
    )
    expect.close(
        long,
        longer(many),
        "With max_len = 521 and all embeddings at zero, some of 520 tokens don't get the vector "
        "that belongs to their position.",
        MANY,
    )
    expect.array(behind_padding, tuple(short.shape), "tensor")
    expect.close(
        behind_padding[~padding],
        theirs(tokens)[~padding],
        "With padding in front of a sentence, and its mask, tokens don't get the vector of their "
        "position any more. Row t of the table is for place t, whatever stands before it.",
        WIDE,
    )


@points(1, INPUT)
def test_embeddings_are_scaled_before_positions_are_added(
    student: Student, reference: MakeReference, tokens: torch.Tensor
) -> None:
    """The layers get the embeddings times √d_model, plus the positional encoding once."""
    theirs = with_plain_norms(reference(silent=True))
    expect.close(
        encoder_with(student, theirs)(tokens),
        theirs(tokens),
        "What goes into the layers is not the embeddings times √d_model plus the positional "
        "encoding. Are the embeddings scaled (§3.4), and the positions added once and unscaled?",
        WIDE,
    )


@points(2, LAYERS)
def test_every_layer_is_applied_in_turn(
    student: Student, reference: MakeReference, tokens: torch.Tensor
) -> None:
    """Three layers with different weights, one after the other, agree with PyTorch's.

    The embeddings are so large, and attention in the first layer so even, that neither positions
    nor scale show: mistakes there cost their own points only.
    """
    theirs = reference(n_layers=3, d_ff=20)
    theirs.embedding.weight *= 1e6
    theirs.get_parameter("layers.0.self_attn.in_proj_weight")[: 2 * D_MODEL] = 0
    encoder = student.Encoder(
        VOCAB, d_model=D_MODEL, n_heads=N_HEADS, d_ff=20, n_layers=3, max_len=40, dropout=0.0
    )
    theirs.have_rows(encoder.parameters().get("embedding.weight", ()))
    tokens = tokens.clamp(min=1)  # whether 0 is a word is asked with the padding
    expect.close(
        loaded(encoder, theirs)(tokens),
        theirs(tokens),
        "Three layers with different weights give another result than PyTorch's. Is each of them a "
        "block of its own, applied once, to what the one before returned?",
        WIDE,
    )


@points(2, PADDING)
def test_padding_is_hidden_in_every_layer(
    student: Student, draw: Draw, reference: MakeReference, tokens: torch.Tensor
) -> None:
    """In a batch of sentences of different lengths, each is as if it stood alone: in both modes.

    Nothing is padding but by the mask.
    """
    theirs = reference(n_layers=3)
    check_zero_is_a_word(student, deepcopy(theirs), tokens)
    check_padding_is_hidden(
        embedding_with(student, theirs),
        tokens,
        draw(BATCH, SEQ, D_MODEL),
        "Real tokens change when padding is added behind them and masked. Every layer needs the "
        "mask; in it True means ignore this token.",
    )


@points(1, MAX_LEN)
def test_sequences_longer_than_max_len_are_refused(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Exactly max_len tokens (512, unless told otherwise) are fine; one more is a ValueError."""
    theirs = reference()
    tokens = draw_tokens(BATCH, SEQ + 1, vocab_size=VOCAB)
    tight = embedding_with(student, theirs, max_len=SEQ)
    result = tight(tokens[:, :SEQ])
    expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    check_others_are_seen(result[:, :3], tight(tokens[:, :3]))
    many = draw_tokens(SEQ + 1, 2, vocab_size=VOCAB)  # no sentence of them is long
    expect.array(tight(many), (SEQ + 1, 2, D_MODEL), "tensor")
    with expect.raises(
        "ValueError", "A sequence of max_len + 1 tokens is too long: raise a ValueError in forward."
    ):
        tight(tokens)
    longest = draw_tokens(1, 513, vocab_size=VOCAB)
    usual = student.Encoder(VOCAB, d_model=8, n_heads=2, d_ff=8, n_layers=1)
    expect.array(usual(longest[:, :512]), (1, 512, 8), "tensor")
    with expect.raises("ValueError", "Unless told otherwise, max_len is 512: 513 are too many."):
        usual(longest)


@points(1, MODULE)
def test_any_size_works_in_any_order_and_inputs_are_left_alone(
    student: Student, draw_tokens: Draw, reference: MakeReference, tokens: torch.Tensor
) -> None:
    """Length itself has no effect, on one encoder, and neither tokens nor mask are changed."""
    encoder, padding = embedding_with(student, reference()), padding_of(LENGTHS, SEQ)
    laws.leaves_inputs_alone(
        student,
        lambda: encoder(tokens),
        lambda: encoder(tokens, key_padding_mask=padding),
        encoder.train,
        lambda: encoder(tokens, key_padding_mask=padding),
        reveals="encoder-input-overwritten",
    )
    encoder = embedding_with(student, reference(), max_len=302)
    check_sizes_in_any_order(encoder, draw_tokens(2, 301, vocab_size=VOCAB).clamp(min=1))


@points(1, MODULE)
def test_everything_learns(student: Student, draw: Draw, reference: MakeReference) -> None:
    """A gradient reaches every parameter, each word's embedding as well; no others are trained."""
    encoder = encoder_with(student, reference())
    rows = encoder.parameters().get("embedding.weight", (VOCAB,))[0]
    assert rows == VOCAB, (
        f"Your embedding has {rows} rows, where the vocabulary has {VOCAB} tokens."
    )
    tokens = (torch.arange(BATCH * SEQ) % VOCAB).view(BATCH, SEQ)
    cotangent = draw(BATCH, SEQ, D_MODEL)
    laws.learns(
        encoder,
        tokens,
        cotangent=cotangent,
        draw=draw,
        numbers=NUMBERS,
        reveals="encoder-gradient-stopped",
        reveals_more="encoder-trains-too-much",
        reveals_fewer="encoder-layers-frozen",
    )
    for gradient in encoder.gradients(tokens, cotangent=cotangent).values():
        if gradient is not None and tuple(gradient.shape) == (VOCAB, D_MODEL):
            expect.that(
                bool(gradient.any(dim=1).all()),
                "Every word stands somewhere in the text, and yet no gradient reaches the "
                "embedding of some. No number is special here: how do you make the embedding?",
                reveals="encoder-padding-index",
            )


@points(1, DROPOUT)
def test_nothing_drops_out_in_eval_mode_or_at_zero(
    student: Student, reference: MakeReference, tokens: torch.Tensor
) -> None:
    """In eval mode two runs agree; with dropout=0.0 train mode does as eval mode does."""
    theirs = reference()
    encoder, calm = (encoder_with(student, theirs, dropout=rate) for rate in (0.5, 0.0))
    hint = ", and does `eval()` reach every layer"
    check_nothing_drops_out(encoder, calm, lambda module: module(tokens), hint)
    check_others_are_seen(encoder(tokens)[:, :3], encoder(tokens[:, :3]))


@points(1, DROPOUT)
def test_the_sum_of_embeddings_and_positions_drops_out_in_train_mode(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """In train mode the sum loses half of its numbers with dropout=0.5; a tenth by default.

    The sum is 0 and 3 in turn: 1 is the first position's, 2 the embedding's. Norms are plain, and
    nothing is added to it but a 1 to every fourth feature, by the first layer's attention.
    """
    theirs = with_plain_norms(reference(n_layers=1, d_model=WIDTH))
    for name, parameter in theirs.named_parameters():
        if "norm" not in name:
            parameter.zero_()
    theirs.embedding.weight[:, 1::2] = 2 / math.sqrt(WIDTH)
    theirs.get_parameter("layers.0.self_attn.out_proj.bias")[2::4] = 1
    # With more sentences, code that mixes up axes runs out of memory.
    tokens = draw_tokens(100, 1, vocab_size=VOCAB)
    dropping, calm = (encoder_with(student, theirs, 128, rate) for rate in (0.5, 0.0))
    check_sum_drops_out(dropping, calm, tokens)
    usual = student.Encoder(VOCAB, d_model=WIDTH, n_heads=N_HEADS, d_ff=D_FF, n_layers=1)
    loaded(usual, theirs).train()
    found, _ = sums(usual(tokens), len(tokens))
    check_share(found, "what goes into the first layer", "encoder-dropout-half-by-default")
    small, more = encoder_with(student, reference()), draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    check_others_are_seen(small(more)[:, :3], small(more[:, :3]))


@points(1, LAYERS)
def test_the_default_encoder_agrees_with_pytorch(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Encoder(vocab_size) makes (2, 5) tokens into PyTorch's (2, 5, 128), with two layers."""
    theirs = reference(seq=5, d_model=128, n_heads=8, d_ff=512)
    encoder = loaded(student.Encoder(VOCAB), theirs)
    tokens = draw_tokens(2, 5, vocab_size=VOCAB).clamp(min=1)
    expect.close(
        encoder(tokens),
        theirs(tokens),
        "Encoder(vocab_size) differs from PyTorch's layers with the same weights. If earlier tests "
        "fail as well, start there. If not: unless told otherwise it has d_model = 128, 8 heads, "
        "d_ff = 512 and 2 layers.",
        WIDE,
    )
