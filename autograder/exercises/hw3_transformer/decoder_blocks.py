"""Blocks of a decoder: PyTorch's, a student's, and what must hold of their masks and sizes."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect, laws

from ..blocks import WIDE, check_others_are_seen, loaded, padding_of

Block = nn.TransformerDecoderLayer

BATCH, T, S, D_MODEL, N_HEADS = 3, 7, 5, 24, 2  # 8 heads would fit, too
LENGTHS = (4, 2, 3)  # of the sources in a padded batch


def pytorch_block(d_model: int = D_MODEL, n_heads: int = N_HEADS, d_ff: int | None = None) -> Block:
    """Return PyTorch's own post-norm block with ReLU; d_ff is 4 · d_model unless told otherwise."""
    return nn.TransformerDecoderLayer(d_model, n_heads, d_ff or 4 * d_model, batch_first=True)


def later_tokens(t: int) -> torch.Tensor:
    """Return torch's causal mask: True, which hides, above the diagonal."""
    return torch.ones(t, t, dtype=torch.bool).triu(1)


def block_with(student: Student, theirs: Block, dropout: float = 0.0) -> ModuleProxy:
    """Make the student's block with the weights of `theirs`, in eval mode."""
    block = student.DecoderBlock(
        theirs.norm1.normalized_shape[0],
        theirs.self_attn.num_heads,
        theirs.linear1.out_features,
        dropout=dropout,
    )
    return loaded(block, theirs)


def inner(result: Any) -> Any:
    """Return a result without its first and its last token, having checked its shape."""
    expect.array(result, (BATCH, T, D_MODEL), "tensor")
    return result[:, 1:-1]


def check_causal(
    block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor, other: torch.Tensor
) -> None:
    """Check that a token that becomes the `other` one moves itself and later ones alone."""
    before = block(x, memory)
    for place in (1, T - 1):
        changed = x.clone()
        changed[:, place] = other
        after = block(changed, memory)
        for result in (before, after):
            expect.array(result, (BATCH, T, D_MODEL), "tensor")
            assert result.isfinite().all(), (
                "There is nan in your result. A token that may look at nothing at all has no "
                "weights that sum to 1. May each token look at itself?"
            )
        moved = (after - before).abs().amax(dim=(0, 2)) > WIDE
        assert not moved[:place].any(), (
            "When a token of the target changes, tokens before it notice. Self-attention needs the "
            "causal mask; in torch's `attn_mask` True means *hidden*."
        )
        assert moved[place:].all(), (
            "When a token of the target changes, some token after it doesn't notice. All earlier "
            "tokens may be seen. Which way round is your mask, and which way does torch read it?"
        )


def check_neighbours_are_seen(block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor) -> None:
    """Check that the first token or the last makes a difference to those between.

    Those two are left out of what is compared, as in `inner`.
    """
    whole = block(x, memory)
    expect.array(whole, tuple(x.shape), "tensor")
    check_others_are_seen(whole[:, 1:-1], block(x[:, 1:-1], memory))


def check_padding_is_hidden(block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor) -> None:
    """Check that in a batch of sources of different lengths, nobody sees what is masked."""
    padding, asked = padding_of(LENGTHS, S), []
    for set_mode in (block.eval, block.train):  # both, before any is judged: they may differ
        set_mode()
        alone = [
            block(x[row : row + 1], memory[row : row + 1, :length])
            for row, length in enumerate(LENGTHS)
        ]
        padded = block(x, memory, memory_key_padding_mask=padding)
        asked.append((inner(padded), inner(block(x, memory)), alone))
    for padded, unmasked, alone in asked:
        for row in range(BATCH):
            expect.close(
                padded[row],
                alone[row][0, 1:-1],
                "What `memory_key_padding_mask` hides still has an effect, or something else is "
                "hidden. True in it means *ignore this token*, which is torch's own convention. "
                "Cross-attention needs it.",
                WIDE,
            )
        check_others_are_seen(unmasked, padded)


def check_sizes_in_any_order(block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor) -> None:
    """Check short, long and short again, and single tokens, each against a part of a longer one.

    `x` has two targets, a token longer than the long ones, and so has `memory`.
    """

    def of_a_longer_one(size: tuple[int, int, int]) -> Any:
        batch, t, s = size
        padding = padding_of((s,) * batch, memory.shape[1])
        longer = block(x[:batch, : t + 1], memory[:batch], memory_key_padding_mask=padding)
        expect.array(longer, (batch, t + 1, D_MODEL), "tensor")
        return longer[:, :t]

    for set_mode in (block.eval, block.train):
        set_mode()
        laws.agrees_at(
            [(2, 5, 4), (2, 1, 3), (1, x.shape[1] - 1, memory.shape[1] - 1), (1, 1, 1), (2, 5, 4)],
            lambda size: block(x[: size[0], : size[1]], memory[: size[0], : size[2]]),
            of_a_longer_one,
            lambda size: (
                f"A batch of {size[0]} with {size[1]} tokens and a memory of {size[2]} gives a "
                "different result from the same ones before a later token, with a padded memory. "
                "If the tests of the masks fail as well, start there. Otherwise, look for "
                "something kept from earlier calls, and for what happens to an axis of length 1."
            ),
            WIDE,
        )
    check_neighbours_are_seen(block, x[:, :5], memory)
