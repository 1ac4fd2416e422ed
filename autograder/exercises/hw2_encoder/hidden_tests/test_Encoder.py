"""Hidden tests of `Encoder`: what goes into the layers, the layers, padding, length and dropout.

The reference is made of PyTorch's embedding and `nn.TransformerEncoderLayer`s. Where the layers are
not what is tested, their sublayers are set to zero, so that only residuals and norms remain.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import pytest
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, points

Draw = Callable[..., torch.Tensor]

BATCH, SEQ, VOCAB, D_MODEL, N_HEADS, D_FF = 3, 7, 11, 12, 2, 20
WIDE = 1e-4  # the tolerance for sums of many products
WIDTH = 128  # features enough to count those that drop out


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
    student: Student, theirs: Reference, max_len: int = 40, dropout: float = 0.1
) -> ModuleProxy:
    """Make the student's encoder with the weights of `theirs`, in eval mode."""
    encoder: ModuleProxy = student.Encoder(
        VOCAB,
        d_model=D_MODEL,
        n_heads=N_HEADS,
        d_ff=D_FF,
        n_layers=len(theirs.layers),
        max_len=max_len,
        dropout=dropout,
    )
    encoder.load(theirs.state_dict())
    encoder.eval()
    return encoder


def all_alike(theirs: Reference) -> Reference:
    """Make all features alike and large, and norms plain: what drops out falls below the mean."""
    theirs.embedding.weight.fill_(1e3)
    for name, parameter in theirs.named_parameters():
        if "norm" in name:
            parameter.fill_("weight" in name)
    return theirs


@points(1)
def test_positions_are_added_to_the_embeddings(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """With all embeddings at zero, the positional encoding goes into the layers."""
    theirs = reference(n_layers=1, silent=True)
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
    theirs = reference(n_layers=1, silent=True)
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
    theirs = reference(n_layers=3)
    theirs.embedding.weight *= 1e6
    theirs.get_parameter("layers.0.self_attn.in_proj_weight")[: 2 * D_MODEL] = 0
    tokens = draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    result = encoder_with(student, theirs)(tokens)
    assert not student.inputs_changed, "Your encoder changes the tokens. Make new tensors instead."
    expect.close(
        result,
        theirs(tokens),
        "Three layers with different weights give another result than PyTorch's. Is each of them a "
        "block of its own, applied once, to what the one before returned?",
        WIDE,
    )


@points(1)
def test_padding_is_hidden_in_every_layer(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Real tokens get the same result whether padding follows them or not."""
    encoder = encoder_with(student, reference())
    tokens, real = draw_tokens(BATCH, SEQ, vocab_size=VOCAB), 4
    padding = (torch.arange(SEQ) >= real).expand(BATCH, SEQ)
    padded, unmasked = encoder(tokens, key_padding_mask=padding), encoder(tokens)
    for result in (padded, unmasked):
        expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    assert not torch.allclose(padded[:, :real], unmasked[:, :real], atol=1e-3), (
        "`key_padding_mask` has no effect on the real tokens. Is it passed on to the layers?"
    )
    expect.close(
        padded[:, :real],
        encoder(tokens[:, :real]),
        "Real tokens change when padding is added behind them and masked. Every layer needs the "
        "mask, not the first one alone; True means ignore this token, so pass it on as it is.",
        WIDE,
    )


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
def test_the_input_of_the_layers_drops_out_in_train_mode(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """In train mode the sum of embeddings and positions drops out; in eval mode nothing does.

    At dropout=0.0 nothing does in the layers either; unless told otherwise, a tenth does.
    """
    theirs = reference(silent=True)
    tokens = draw_tokens(BATCH, SEQ, vocab_size=VOCAB)
    encoder = encoder_with(student, theirs, dropout=0.5)
    result = encoder(tokens)
    expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
    assert torch.equal(result, encoder(tokens)), "In eval mode, two runs on the same input differ."
    encoder.train()
    assert not torch.equal(encoder(tokens), encoder(tokens)), (
        "In train mode, what goes into the first layer should drop out (§5.4), and doesn't."
    )
    blank = reference(silent=True)
    blank.embedding.weight.zero_()
    positions_alone = encoder_with(student, blank, dropout=0.5)
    positions_alone.train()
    assert not torch.equal(positions_alone(tokens), positions_alone(tokens)), (
        "With all embeddings at zero, nothing drops out in train mode. The sum of embeddings and "
        "positions drops out (§5.4), not the embeddings alone."
    )
    calm = encoder_with(student, reference(), dropout=0.0)
    steady = calm(tokens)
    calm.train()
    expect.close(
        calm(tokens),
        steady,
        "With dropout=0.0, train mode still differs from eval mode. Is the argument used, and "
        "handed on to every layer?",
        WIDE,
    )
    usual = student.Encoder(VOCAB, d_model=WIDTH, n_heads=N_HEADS, d_ff=D_FF, n_layers=1)
    usual.load(all_alike(reference(n_layers=1, silent=True, d_model=WIDTH)).state_dict())
    usual.train()
    result = usual(draw_tokens(16, SEQ, vocab_size=VOCAB))
    expect.array(result, (16, SEQ, WIDTH), "tensor")
    dropped = (result < result.mean(-1, keepdim=True)).float().mean()
    assert abs(dropped - 0.1) < 0.02, (
        "Unless told otherwise, a tenth of what goes into the first layer should drop out. Yours "
        "loses another share."
    )


@points(1)
def test_the_default_encoder_agrees_with_pytorch(
    student: Student, draw_tokens: Draw, reference: MakeReference
) -> None:
    """Encoder(vocab_size) makes (2, 5) tokens into PyTorch's (2, 5, 128), with two layers."""
    theirs = reference(seq=5, d_model=128, n_heads=8, d_ff=512)
    encoder = student.Encoder(VOCAB)
    encoder.load(theirs.state_dict())
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
