"""Blocks of a decoder: PyTorch's, a student's, and what must hold of their masks and sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any, cast

import numpy as np
import torch
from torch import nn

from autograder.testing import ModuleProxy, Student, expect
from autograder.testing.failures import StudentRaised

from ..blocks import (
    WIDE,
    check_others_are_seen,
    large_inputs,
    large_scores,
    loaded,
    padding_of,
    silence,
)

Block = nn.TransformerDecoderLayer

D_MODEL, N_HEADS = 24, 2  # 8 heads would fit, too
SIZE = 7  # of batch, target and memory, so that exchanged axes cost the points of few tests
BATCH, T, S = 3, 7, 5  # where masks are tested, which may fit by chance if two of these are equal
LONG = 100  # tokens: more than are read elsewhere
LENGTHS = (S, 2, 3)  # of the sources in a padded batch, of which the first has no padding

IS_HIDDEN = (
    "With other tokens at the padding of the memory, your result stays the same: it is hidden. Yet "
    "with the mask a target gets something else than from the same memory without padding. What "
    "else in your code depends on whether there is a mask, or on how long the memory is?"
)


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
        dropout,
    )
    return unpacked(loaded(block, theirs))


def unpacked(block: ModuleProxy) -> ModuleProxy:
    """Return a block of which the tensor in its result is looked at, whatever it came in."""
    return cast(ModuleProxy, Unpacked(block))


class Unpacked:
    """A student's block whose result is taken out of the tuple, lists or array that it came in.

    Such a container is told, and paid for, where the block of default sizes is compared.
    """

    def __init__(self, block: ModuleProxy) -> None:
        self._block = block

    def __call__(self, x: torch.Tensor, *args: Any, **kwargs: Any) -> Any:
        """Return the tensor of the shape of x that is in the result; without one, the result."""
        result = self._block(x, *args, **kwargs)
        for each in (result, *(result if isinstance(result, (tuple, list)) else ())):
            try:
                found = torch.as_tensor(np.asarray(each, dtype=np.float32))
            except (TypeError, ValueError):
                continue
            if found.shape == x.shape:
                return found
        return result

    def __getattr__(self, name: str) -> Any:
        return getattr(self._block, name)


def inner(result: Any, batch: int = SIZE, t: int = SIZE, width: int = D_MODEL) -> Any:
    """Return a result without its first and its last token, having checked its shape."""
    expect.array(result, (batch, t, width), "tensor")
    return result[:, 1:-1]


def steady_modes(block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor) -> Iterator[str]:
    """Put `block` in eval mode, then in train mode; the latter only if equal calls agree there.

    It was made with dropout=0.0. What drops out all the same is the business of another test.
    """
    block.eval()
    yield "eval"
    block.train()
    first, again = block(x, memory), block(x, memory)
    for result in (first, again):
        expect.array(result, tuple(x.shape), "tensor")
    if torch.allclose(first, again, atol=WIDE, equal_nan=True):
        yield "train"


def alone(theirs: Block, sublayer: str) -> Block:
    """Let one sublayer of `theirs` outdo its residual, and the others leave tokens as they are.

    Norms are plain. Self-attention leaves tokens of a sequence as they are if all are equal, and
    cross-attention is silent if it isn't asked. So where residuals and norms stand, and what they
    take, makes no difference: that is another test's.
    """
    theirs.requires_grad_(False)
    for norm in (theirs.norm1, theirs.norm2, theirs.norm3):
        norm.reset_parameters()
    ends = {
        "self_attn": theirs.self_attn.out_proj,
        "multihead_attn": theirs.multihead_attn.out_proj,
        "linear2": theirs.linear2,
    }
    eye = torch.eye(D_MODEL)
    if sublayer == "self_attn":
        silence(theirs.multihead_attn.out_proj)
    else:
        silence(theirs.self_attn)
        theirs.self_attn.in_proj_weight[2 * D_MODEL :] = eye
        theirs.self_attn.out_proj.weight.copy_(eye)
    if sublayer == "linear2":  # what is looked at is equal everywhere, too
        silence(theirs.multihead_attn)
        theirs.multihead_attn.in_proj_weight[2 * D_MODEL :] = eye
        theirs.multihead_attn.out_proj.weight.copy_(eye)
    else:
        passes_on(theirs, by=1e6)
    for parameter in ends[sublayer].parameters():
        parameter.mul_(1e6)
    return theirs


def says_the_same(theirs: Block, said: torch.Tensor) -> torch.Tensor:
    """Let the self-attention of `theirs` return `said`, whatever it reads; return that."""
    silence(theirs.self_attn, theirs.self_attn.out_proj)
    theirs.self_attn.out_proj.bias.copy_(said)
    return said


def passes_on(theirs: Block, by: float) -> None:
    """Let the feed-forward network of `theirs` return what it reads, `by` times as large."""
    silence(theirs.linear1, theirs.linear2)
    eye = torch.eye(len(theirs.norm1.weight))
    both = torch.cat([eye, -eye])  # what is positive goes one way, what is negative the other
    theirs.linear1.weight[: len(both)] = both
    theirs.linear2.weight[:, : len(both)] = by * both.T


def normalised(values: Any) -> torch.Tensor:
    """Return tokens whose features have mean 0 and variance 1, having checked their shape."""
    expect.array(values, (SIZE, SIZE, D_MODEL), "tensor")
    return nn.functional.layer_norm(values, (D_MODEL,))


def check_attends(student: Student, theirs: Block, x: torch.Tensor, memory: torch.Tensor) -> None:
    """Check that one attention at least chooses where to look: else no law shows that it attends.

    With large queries and keys, attention settles on few tokens, and a change of the others no
    longer moves the result; an average moves as ever. In `x` and `memory`, (n, n, d_model), each
    sequence of the batch is changed at a place of its own.
    """
    sharp = deepcopy(theirs)
    for attention in (sharp.multihead_attn, sharp.self_attn):
        attention.in_proj_weight[: 2 * x.shape[-1]].mul_(10)
    base = x[:1].expand_as(x).clone(), memory[:1].expand_as(memory).clone()
    blocks = [block_with(student, each) for each in (theirs, sharp)]
    results = [block(*base) for block in blocks]
    places = range(len(x))
    for which, given in ((1, memory), (0, x)):
        other = [each.clone() for each in base]
        other[which][places, places] = given[places, places]
        usual, large = (
            _gaps(block(*other), before, x) for block, before in zip(blocks, results, strict=True)
        )
        moved = usual > WIDE
        if (moved & (large < 0.1 * WIDE)).sum() > 0.1 * moved.sum():
            return
    is_drawn = _gaps(blocks[0](*base), results[0], x).max() > WIDE  # that is another test's
    assert is_drawn, (
        "We made queries and keys large. Attention then looks at few tokens, and what it doesn't "
        "look at changes nothing. In yours every token counts as before. What decides how much "
        "each of them counts?"
    )


def _gaps(after: Any, before: Any, x: torch.Tensor) -> torch.Tensor:
    for result in (after, before):
        expect.array(result, tuple(x.shape), "tensor")
    gaps: torch.Tensor = (after - before).abs().amax(dim=-1)
    return gaps


def check_causal(
    block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor, other: torch.Tensor
) -> None:
    """Check in both modes that a token which becomes the `other` one moves no earlier one."""
    asked = []  # of both modes, before any is judged: they may differ
    for _ in steady_modes(block, x, memory):
        before = block(x, memory)
        for place in (1, T - 1):
            changed = x.clone()
            changed[:, place] = other
            asked.append((place, before, block(changed, memory)))
    for place, before, after in asked:
        for result in (before, after):
            expect.array(result, (BATCH, T, D_MODEL), "tensor")
            assert result.isfinite().all(), (
                "There is nan in your result. A token that may look at nothing at all has no "
                "weights that sum to 1. May each token look at itself?"
            )
        moved = (after - before).abs().amax(dim=(0, 2)) > WIDE
        assert not moved[:place].any(), (
            "When a token of the target changes, tokens before it notice. Self-attention needs a "
            "causal mask that hides all later tokens, whatever the mode. In torch's `attn_mask`, "
            "True means *hidden*, and numbers are added to the scores."
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
    """Check that in a batch of sources of different lengths, nobody sees what is masked.

    Where other padding makes no difference, the sentence is about something else than the mask.
    """
    padding, asked = padding_of(LENGTHS, S), []  # both modes, before any is judged
    other = torch.where(padding.unsqueeze(-1), memory.roll(1, 0), memory)
    for _ in steady_modes(block, x, memory):
        for given in (x, x[:, :S]):  # the mask would fit the latter, too
            by_itself = [
                block(given[row : row + 1], memory[row : row + 1, :length])
                for row, length in enumerate(LENGTHS)
            ]
            masked = (
                block(given, each, memory_key_padding_mask=padding) for each in (memory, other)
            )
            turned = block(
                given.roll(1, 0),
                memory.roll((1, 1), (0, 1)),
                memory_key_padding_mask=padding.roll((1, 1), (0, 1)),
            )
            results = (*masked, block(given, memory), block(given, memory.roll(1, 1)), turned)
            asked.append([inner(each, BATCH, given.shape[1]) for each in results])
            asked[-1].append(by_itself)
    for padded, moved, unmasked, in_another_order, turned, by_itself in asked:
        is_hidden = torch.allclose(padded, moved, atol=WIDE)
        for row in range(BATCH):
            expect.close(
                padded[row],
                by_itself[row][0, 1:-1],
                IS_HIDDEN
                if is_hidden
                else "What `memory_key_padding_mask` hides still has an effect, or something else "
                "is hidden. True in it means *ignore this token*, which is torch's own convention. "
                "Cross-attention needs it.",
                WIDE,
            )
        check_others_are_seen(unmasked[1:], padded[1:])
        if torch.allclose(in_another_order, unmasked, atol=WIDE):  # else that is another test's
            expect.close(
                turned.roll(-1, 0),
                padded,
                "Where padding stands in front of a source, or between its tokens, or in another "
                "sentence of the batch, the same tokens give another result. Each True hides one "
                "token, wherever it stands.",
                WIDE,
            )


def check_sizes_in_any_order(
    blocks: Sequence[ModuleProxy], x: torch.Tensor, memory: torch.Tensor
) -> None:
    """Check short, long and short again, and single tokens, of one block and of fresh ones.

    All `blocks` have the same weights: the first answers for every size, and each of the others
    for one.
    """
    used, *fresh = blocks
    lengths = ((2, 5), (2, 1), (1, x.shape[1]), (1, 1), (2, 5))
    sizes = [(batch, t, min(t, memory.shape[1])) for batch, t in lengths]
    for mode in steady_modes(used, x[:, :5], memory):
        for block in fresh:
            getattr(block, mode)()
        for (batch, t, s), unused in zip(sizes, fresh, strict=True):
            given = x[:batch, :t], memory[:batch, :s]
            now, then = (_for_any_length(each, *given) for each in (used, unused))
            for result in (now, then):
                expect.array(result, (batch, t, D_MODEL), "tensor")
            assert torch.allclose(now, then, atol=WIDE, equal_nan=True), (
                f"For a batch of {batch} with {t} tokens and a memory of {s}, a block that was "
                "asked for other sizes before gives another result than a fresh one with the same "
                "weights. What does a call leave behind?"
            )
    check_neighbours_are_seen(used, x[:, :5], memory[:, :5])
    check_far_ones_are_seen(used, x[:1, :LONG], memory[:1, :LONG])


def check_far_ones_are_seen(block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor) -> None:
    """Check that a token that the last one sees in a short text is one that it sees in a long one.

    That goes for the first token of the target and of the memory.
    """
    for place, which in enumerate(("target", "memory")):
        effects = []
        for length in (5, x.shape[1]):
            given = [x[:, :length], memory[:, :length]]
            other = list(given)
            other[place] = torch.cat([given[place][:, :1].flip(-1), given[place][:, 1:]], dim=1)
            here, there = (_for_any_length(block, *each)[:, -1] for each in (given, other))
            effects.append(bool(((here - there).abs() > 1e-6).any() or here.isnan().any()))
        assert effects != [True, False], (
            f"The last of {x.shape[1]} tokens gets the same result whatever the first token of the "
            f"{which} is; of 5 tokens it doesn't. However long the target and the memory are, the "
            "last token may look at every one. What in your code lets go of those far away?"
        )


def _for_any_length(block: ModuleProxy, x: torch.Tensor, memory: torch.Tensor) -> Any:
    """Return what a block makes of a target; say so if it breaks off at long ones alone."""
    try:
        return block(x, memory)
    except StudentRaised as error:
        if x.shape[1] < LONG or error.type_name == "MemoryError":
            raise
        block(x[:, :5], memory)
        expect.that(False, str(error), "decoder-mask-too-short")


def by_name(student: Student, **sizes: Any) -> ModuleProxy:
    """Make a student's block that can be made by position, with its arguments by their names."""
    student.DecoderBlock(*sizes.values())
    try:
        block: ModuleProxy = student.DecoderBlock(**sizes)
    except StudentRaised as error:
        expect.that(False, str(error), "decoder-other-argument-names")
    return block


def check_large_scores(student: Student, rng: np.random.Generator) -> None:
    """Check that scores of hundreds give no nan, and that what is hidden doesn't show beside them.

    That goes for later tokens of the target and for padding of the memory.
    """
    theirs = large_scores(pytorch_block(8))
    passes_on(theirs, by=1.0)
    block = block_with(student, theirs)
    x, memory = large_inputs(rng, BATCH, T), large_inputs(rng, BATCH, S)
    padding = padding_of((S - 1,) * BATCH, S)
    padded, unmasked = block(x, memory, memory_key_padding_mask=padding), block(x, memory)
    expect.array(padded, (BATCH, T, 8), "tensor")
    expect.close(
        padded[:, :-1],
        block(x[:, :-1], memory[:, :-1]),
        "With scores of several hundred, a later token of the target or a hidden one of the "
        "source has an effect. If the test of later tokens fails as well, start there. Otherwise, "
        "a hidden score must lie below all others, however low those are.",
        WIDE,
    )
    check_others_are_seen(unmasked, padded)
