"""Hidden tests of `Encoder`: what goes into the layers, the layers, and what holds for all modules.

The reference is made of PyTorch's embedding and `nn.TransformerEncoderLayer`s. Where the layers are
not what is tested, their sublayers are set to zero, so that only residuals and norms remain.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws, points

from ...blocks import check_others_are_seen, load_what_is_there, padding_of

Draw = Callable[..., torch.Tensor]

BATCH, SEQ, VOCAB, D_MODEL, N_HEADS = 3, 7, 11, 24, 2  # 8 heads would fit, too
D_FF = 512  # EncoderBlock's own: whether it is passed on is a question for one test
LENGTHS = (6, 3, 5)  # of the sentences in a padded batch
NUMBERS = VOCAB * D_MODEL + 2 * (
    4 * D_MODEL**2 + 9 * D_MODEL + (2 * D_MODEL + 1) * D_FF
)  # of embedding and two layers
WIDE = 1e-4  # the tolerance for sums of many products
MANY = 2e-4  # the tolerance for positions beyond 60
WIDTH = 96  # features enough to count those that drop out


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


def encoder_with(
    student: Student, theirs: Reference, max_len: int = 40, dropout: float = 0.0
) -> ModuleProxy:
    """Make the student's encoder with the weights of `theirs`, in eval mode."""
    encoder: ModuleProxy = student.Encoder(
        VOCAB,
        d_model=theirs.embedding.embedding_dim,
        n_heads=N_HEADS,
        d_ff=theirs.get_parameter("layers.0.linear1.bias").numel(),
        n_layers=len(theirs.layers),
        max_len=max_len,
        dropout=dropout,
    )
    load_what_is_there(encoder, theirs.state_dict())
    encoder.eval()
    return encoder


def with_plain_norms(theirs: Reference) -> Reference:
    """Let no norm scale or shift; return `theirs`."""
    for name, parameter in theirs.named_parameters():
        if "norm" in name:
            parameter.fill_("weight" in name)
    return theirs


@points(1)
def test_positions_are_added_to_the_embeddings(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """With all embeddings at zero, the positional encoding goes into the layers."""
    theirs = reference(silent=True)
    theirs.embedding.weight.zero_()
    tokens = draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    expect.close(
        encoder_with(student, theirs)(tokens),
        theirs(tokens),
        "We set all embeddings to zero, so that only the positional encoding should go into the "
        "layers, row t for token t of every sentence. Something else does.",
        WIDE,
    )


@points(1)
def test_embeddings_are_scaled_before_positions_are_added(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """The layers get the embeddings times √d_model, plus the positional encoding once."""
    theirs = reference(silent=True)
    tokens = draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    expect.close(
        encoder_with(student, theirs)(tokens),
        theirs(tokens),
        "What goes into the layers is not the embeddings times √d_model plus the positional "
        "encoding. Are the embeddings scaled (§3.4), and the positions added once and unscaled?",
        WIDE,
    )


@points(2)
def test_every_layer_is_applied_in_turn(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Three layers with different weights, one after the other, agree with PyTorch's.

    The embeddings are so large, and attention in the first layer so even, that neither positions
    nor scale show: mistakes there cost their own points only.
    """
    theirs = reference(n_layers=3, d_ff=20)
    theirs.embedding.weight *= 1e6
    theirs.get_parameter("layers.0.self_attn.in_proj_weight")[: 2 * D_MODEL] = 0
    tokens = draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    expect.close(
        encoder_with(student, theirs)(tokens),
        theirs(tokens),
        "Three layers with different weights give another result than PyTorch's. Is each of them a "
        "block of its own, applied once, to what the one before returned?",
        WIDE,
    )


@points(1)
def test_positions_are_right_up_to_the_last(student: Student, reference: MakeReference) -> None:
    """With max_len = 520 and all embeddings at zero, each of 520 tokens gets its position."""
    theirs = reference(silent=True, seq=520)
    theirs.embedding.weight.zero_()
    with_plain_norms(theirs)
    tokens = torch.zeros(1, 520, dtype=torch.int64)
    expect.close(
        encoder_with(student, theirs, max_len=520)(tokens),
        theirs(tokens),
        "With max_len = 520 and all embeddings at zero, some of 520 tokens don't get the vector "
        "that belongs to their position. If the first test fails as well, start there.",
        MANY,
    )


@points(1)
def test_padding_is_hidden_in_every_layer(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """In a batch of sentences of different lengths, each is as if it stood alone: in both modes."""
    encoder = encoder_with(student, reference())
    tokens, padding = draw_tokens(BATCH, SEQ, vocab_size=VOCAB), padding_of(LENGTHS, SEQ)
    for set_mode in (encoder.eval, encoder.train):
        set_mode()
        padded, unmasked = encoder(tokens, key_padding_mask=padding), encoder(tokens)
        expect.array(padded, (BATCH, SEQ, D_MODEL), "tensor")
        for row, length in enumerate(LENGTHS):
            expect.close(
                padded[row : row + 1, :length],
                encoder(tokens[row : row + 1, :length]),
                "Real tokens change when padding is added behind them and masked. Every layer "
                "needs the mask; in it True means ignore this token. What reaches each of yours?",
                WIDE,
            )
        check_others_are_seen(unmasked[1:2, :3], encoder(tokens[1:2, :3]))


@points(1)
def test_sequences_longer_than_max_len_are_refused(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Exactly max_len tokens (512, unless told otherwise) are fine; one more is a ValueError."""
    theirs = reference()
    tokens = draw_tokens(BATCH, SEQ + 1, vocab_size=VOCAB)
    tight, roomy = (encoder_with(student, theirs, max_len=length) for length in (SEQ, 40))
    result = tight(tokens[:, :SEQ])
    expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    assert result.std(dim=1).max() > 0.01, "All tokens of a sentence get the same vector."
    expect.close(
        result,
        roomy(tokens[:, :SEQ]),
        "A sequence of exactly max_len tokens gets another result than with a larger max_len.",
        WIDE,
    )
    with expect.raises(
        "ValueError", "A sequence of max_len + 1 tokens is too long: raise a ValueError in forward."
    ):
        tight(tokens)
    longest = draw_tokens(1, 513, vocab_size=VOCAB)
    usual = student.Encoder(VOCAB, d_model=D_MODEL, n_heads=N_HEADS, d_ff=D_FF, n_layers=1)
    expect.array(usual(longest[:, :512]), (1, 512, D_MODEL), "tensor")
    with expect.raises("ValueError", "Unless told otherwise, max_len is 512: 513 are too many."):
        usual(longest)


@points(1)
def test_any_size_works_in_any_order(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Short, long and short again, and one sentence of one token: length itself has no effect."""
    encoder = encoder_with(student, reference(), max_len=101)
    tokens = draw_tokens(2, 101, vocab_size=VOCAB)

    def in_front_of_padding(size: tuple[int, int]) -> Any:
        batch, seq = size
        padded = encoder(tokens[:batch], key_padding_mask=padding_of((seq,) * batch, 101))
        expect.array(padded, (batch, 101, D_MODEL), "tensor")
        return padded[:, :seq]

    laws.agrees_at(
        [(2, 5), (1, 100), (1, 1), (2, 1), (2, 5)],
        lambda size: encoder(tokens[: size[0], : size[1]]),
        in_front_of_padding,
        lambda size: (
            f"A batch of {size[0]} with {size[1]} tokens gives another result than the same tokens "
            "in front of padding, 101 in all. If the test of padding fails as well, start there. "
            "Else: does your encoder keep anything from earlier calls, and what does it do with "
            "the length, or with an axis of length 1?"
        ),
        WIDE,
    )
    check_others_are_seen(encoder(tokens[:, :5])[:, :2], encoder(tokens[:, :2]))


@points(1)
def test_inputs_are_left_alone(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Neither tokens nor mask are changed, with a mask or without, in eval or in train mode."""
    encoder = encoder_with(student, reference())
    tokens, padding = draw_tokens(BATCH, SEQ, vocab_size=VOCAB), padding_of(LENGTHS, SEQ)
    laws.leaves_inputs_alone(
        student,
        lambda: encoder(tokens),
        lambda: encoder(tokens, key_padding_mask=padding),
        encoder.train,
        lambda: encoder(tokens, key_padding_mask=padding),
        reveals="encoder-input-overwritten",
    )
    check_others_are_seen(encoder(tokens)[:, :3], encoder(tokens[:, :3]))


@points(1)
def test_everything_learns(student: Student, draw: Draw, reference: MakeReference) -> None:
    """A gradient reaches every parameter, each word's embedding as well; no others are trained."""
    encoder = encoder_with(student, reference())
    tokens = (torch.arange(BATCH * SEQ) % VOCAB).view(BATCH, SEQ)
    cotangent = draw(BATCH, SEQ, D_MODEL)
    laws.learns(
        encoder,
        tokens,
        cotangent=cotangent,
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


def known_input(theirs: Reference) -> Reference:
    """Let the first token's sum be 0 and 3 in turn, and attention add 1 to every fourth feature.

    Else the layers, of which there should be one, add nothing, and their norms are plain.
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


@points(1)
def test_the_sum_of_embeddings_and_positions_drops_out_in_train_mode(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """In train mode the sum loses half of its numbers with dropout=0.5; a tenth by default."""
    theirs = known_input(reference(n_layers=1, d_model=WIDTH))
    encoder = encoder_with(student, theirs, dropout=0.5)
    tokens = draw_tokens(200, 1, vocab_size=VOCAB)
    usual, _ = sums(encoder(tokens), 200)
    encoder.train()
    found, unequal = sums(encoder(tokens), 200)
    expect.that(
        unequal < 0.01,
        "In train mode, what the layer returns loses numbers. The dropout of step 2 acts on what "
        "goes into the first layer: where does yours stand?",
        reveals="encoder-dropout-at-the-end",
    )
    least, most = float(found.min()), float(found.max())
    expect.that(
        most - least > 0.01,
        "In train mode with dropout=0.5, what goes into the first layer should drop out (§5.4), "
        "and doesn't.",
        reveals="encoder-no-dropout",
    )
    expect.that(
        abs(least - 0.5) > 0.02,
        "In train mode the position always comes through whole, whatever drops out. Step 2 "
        "speaks of the sum of embedding and position: what does your dropout act on?",
        reveals="encoder-dropout-before-the-positions",
    )
    expect.that(
        bool((((found - least) < 0.02) | ((most - found) < 0.02)).all()),
        "In train mode a feature of the sum is lost or kept, one of the two. In yours it may also "
        "be lost in part. How often do you draw what drops out, and of what?",
        reveals="encoder-dropout-in-two-parts",
    )
    grown = most / float(usual.mean())
    expect.that(
        abs(grown - 0.5) > 0.02,
        "In train mode, what is left of the sum is smaller, beside what the layer adds, than it "
        "should be. What does dropout do to the numbers that it keeps, so that the mean stays?",
        reveals="encoder-dropout-not-scaled",
    )
    assert least < 0.02 and abs(grown - 1) < 0.02, (
        "In train mode with dropout=0.5, what goes into the first layer should be lost by half, "
        "and the rest doubled, like all that drops out. Your layer seems to get other numbers."
    )


@points(1)
def test_a_tenth_drops_out_unless_told_otherwise(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Encoder(…) loses a tenth of the sum of embeddings and positions in train mode."""
    theirs = known_input(reference(n_layers=1, d_model=WIDTH))
    encoder = student.Encoder(
        VOCAB, d_model=WIDTH, n_heads=N_HEADS, d_ff=D_FF, n_layers=1, max_len=40
    )
    load_what_is_there(encoder, theirs.state_dict())
    encoder.train()
    found, _ = sums(encoder(draw_tokens(200, 1, vocab_size=VOCAB)), 200)
    share = float((found < found.max() / 2).float().mean())
    expect.that(
        abs(share - 0.5) > 0.03,
        "Unless told otherwise, a tenth of what goes into the first layer should drop out. Yours "
        "loses half.",
        reveals="encoder-dropout-half-by-default",
    )
    assert abs(share - 0.1) < 0.03, (
        "Unless told otherwise, a tenth of what goes into the first layer should drop out "
        "(dropout=0.1). Yours loses another share. If the test of dropout above fails as well, "
        "start there."
    )


@points(1)
def test_nothing_drops_out_in_eval_mode_or_at_zero(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """In eval mode two runs agree; with dropout=0.0 train mode does as eval mode does."""
    theirs, tokens = reference(), draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    encoder = encoder_with(student, theirs, dropout=0.5)
    laws.repeats(
        lambda: encoder(tokens),
        "That was in eval mode. How does what you use for dropout know which mode it is in, and "
        "does `eval()` reach every layer?",
    )
    steady = encoder(tokens)
    calm = encoder_with(student, theirs, dropout=0.0)
    calm.train()
    expect.close(
        calm(tokens),
        steady,
        "With dropout=0.0, train mode should do what eval mode does, and doesn't. Is the argument "
        "used, handed on to every layer, and does anything else ask for the mode?",
        WIDE,
    )
    check_others_are_seen(steady[:, :3], encoder(tokens[:, :3]))


@points(1)
def test_the_default_encoder_agrees_with_pytorch(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Encoder(vocab_size) makes (2, 5) tokens into PyTorch's (2, 5, 128), with two layers."""
    theirs = reference(seq=5, d_model=128, n_heads=8, d_ff=512)
    encoder = student.Encoder(VOCAB)
    load_what_is_there(encoder, theirs.state_dict())
    encoder.eval()
    tokens = draw_tokens(2, 5, vocab_size=VOCAB)
    expect.close(
        encoder(tokens),
        theirs(tokens),
        "Encoder(vocab_size) differs from PyTorch's layers with the same weights. If earlier tests "
        "fail as well, start there. Else: unless told otherwise it has d_model = 128, 8 heads, "
        "d_ff = 512 and 2 layers.",
        WIDE,
    )
