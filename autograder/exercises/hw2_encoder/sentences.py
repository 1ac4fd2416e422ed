"""What hidden tests ask of several modules alike, about batches of sentences."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any, TypeVar

import torch
from torch import nn

from autograder.testing import ModuleProxy, expect, laws
from autograder.testing.failures import StudentRaised

from ..blocks import WIDE, check_others_are_seen, padding_of

AnyModule = TypeVar("AnyModule", bound=nn.Module)

BATCH, SEQ, D_MODEL, N_HEADS = 3, 7, 24, 2  # 8 heads would fit, too
LENGTHS = (6, 3, 5)  # of the sentences in a padded batch
SHORT = 5  # tokens of the shorter sentences, where there are longer ones

IS_HIDDEN = (
    "With other tokens at the padding, your real ones get the same: it is hidden from them. Yet "
    "with the mask a sentence gets something else than alone and without one. What else in your "
    "code depends on whether there is a mask, or on how long a sentence is?"
)


def check_something_is_computed(module: ModuleProxy, *inputs: torch.Tensor) -> None:
    """Require that what `forward` returns depends on its inputs, be it right or wrong.

    Where the student's code raises, other tests say so.
    """
    try:
        results = [module(*inputs), module(*(-each for each in inputs))]
    except StudentRaised:
        return
    found = [each[0] if isinstance(each, (tuple, list)) and each else each for each in results]
    expect.that(
        all(isinstance(each, torch.Tensor) and bool(each.isfinite().all()) for each in found)
        and not torch.equal(*found)
        and not torch.equal(found[0], inputs[0]),
        "What your `forward` returns is not computed from what goes in. Does it return its result?",
    )


def check_has_a_part(
    layer: str, theirs: AnyModule, result_of: Callable[[AnyModule], Any], rows: int | None = None
) -> None:
    """Require that `layer` of `theirs` has a part in the result of a module with its weights.

    The columns of its weights change places: in the first `rows`, if given, of a matrix that
    attention keeps in one for queries, keys and values.
    """
    other = deepcopy(theirs)
    name = f"{layer}.weight" if rows is None else f"{layer}.in_proj_weight"
    weight = other.get_parameter(name)[:rows]
    weight.copy_(weight.flip(1))
    results = [result_of(each) for each in (theirs, other)]
    # More that is returned is another test's matter.
    first, second = (
        each[0] if isinstance(each, (tuple, list)) and each else each for each in results
    )
    for result in (first, second):
        expect.array(result, tuple(getattr(first, "shape", ())), "tensor")
    assert (first - second).abs().max() > 0.005 * first.abs().max(), (
        f"With other weights in `{layer}`, your result stays as it is, or nearly so. What part has "
        "this layer in it?"
    )


def in_proportion(found: torch.Tensor, scores: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Return `found` and `scores`, both less their rows' means, the latter times the best factor.

    The two are equal if `found` is the scores times one number, plus a number for each row.
    """
    found, scores = (each - each.mean(-1, keepdim=True) for each in (found, scores))
    return found, scores * ((found * scores).sum() / scores.square().sum())


def check_sentences_may_change_places(result_of: Callable[[Any], Any], x: torch.Tensor) -> None:
    """Check that each sentence has the same result where those of a batch `x` change places.

    The two calls are of one shape: what is kept from the first shows in the second.
    """
    first, second = result_of(x), result_of(x.flip(0))
    for result in (first, second):
        expect.array(result, tuple(first.shape), "tensor")
    expect.close(
        second,
        first.flip(0),
        "When the sentences of a batch change places, so should their results. Yours don't. Does "
        "your code keep anything from an earlier call, or do sentences know of each other?",
        WIDE,
    )


def is_drawn(first: Any, again: Any) -> bool:
    """Tell whether two equal calls gave finite numbers, and not the same."""
    both = (first, again)
    are_finite = all(isinstance(each, torch.Tensor) and each.isfinite().all() for each in both)
    return are_finite and not torch.equal(first, again)


def check_padding_is_hidden(
    module: ModuleProxy, x: torch.Tensor, cotangent: torch.Tensor, says: str
) -> None:
    """Check that each sentence of a padded batch is as if it stood alone: in both modes.

    The module learns from a padded batch as well. What stands at padding itself is free. A mode in
    which something is drawn at random isn't judged: that nothing is has a test of its own. `says`
    is about masks: where other padding makes no difference, that isn't what is wrong.
    """
    padding, asked = padding_of(LENGTHS, SEQ), []
    at_padding = padding.view(*padding.shape, *(1,) * (x.dim() - 2))
    other = torch.where(at_padding, x.roll(1, 0), x)
    for set_mode in (module.eval, module.train):  # both, before any is judged: they may differ
        set_mode()
        alone = [module(x[row : row + 1, :length]) for row, length in enumerate(LENGTHS)]
        masked = [module(each, key_padding_mask=padding) for each in (x, other)]
        asked.append((*masked, module(x), module(x), alone))
    evaluated, trained = asked
    for padded, moved, unmasked, _, alone in [evaluated] if is_drawn(*trained[2:4]) else asked:
        for result in (padded, moved, unmasked):
            expect.array(result, (BATCH, SEQ, D_MODEL), "tensor")
        is_hidden = torch.allclose(padded[~padding], moved[~padding], atol=WIDE)
        for row, length in enumerate(LENGTHS):
            expect.close(
                padded[row : row + 1, :length], alone[row], IS_HIDDEN if is_hidden else says, WIDE
            )
        check_others_are_seen(unmasked[1:2, : LENGTHS[1]], alone[1])
    laws.learns_with(
        module,
        x,
        cotangent=cotangent.masked_fill(padding[:, :, None], 0),
        key_padding_mask=padding,
        says="With a padding mask,",
    )


def check_sizes_in_any_order(module: ModuleProxy, x: torch.Tensor) -> None:
    """Check short, long and short again, and single tokens, each against itself with padding.

    `x` has two sentences, a token longer than the long one.
    """
    most = x.shape[1]

    def padded_length(seq: int) -> int:
        return most if seq > SHORT else SHORT + 3

    def in_front_of_padding(size: tuple[int, int]) -> Any:
        batch, seq = size
        longest = padded_length(seq)
        padding = padding_of((seq,) * batch, longest)
        padded = module(x[:batch, :longest], key_padding_mask=padding)
        expect.array(padded, (batch, longest, D_MODEL), "tensor")
        return padded[:, :seq]

    laws.agrees_at(
        [(2, SHORT), (2, 1), (1, most - 1), (1, 1), (2, SHORT)],
        lambda size: module(x[: size[0], : size[1]]),
        in_front_of_padding,
        lambda size: (
            f"A batch of {size[0]} with {size[1]} tokens gives another result than the same tokens "
            f"in front of padding, {padded_length(size[1])} in all. If the test of padding fails "
            "as well, start there. If not: do you keep anything from earlier calls, and what do "
            "you do with the length, or with an axis of length 1?"
        ),
        WIDE,
    )
    check_others_are_seen(module(x[:, :SHORT])[:, :2], module(x[:, :2]))
    other = x.clone()
    other[:, : most // 2] = x[:, most // 2 : most // 2 * 2]
    check_others_are_seen(module(x)[:, -1:], module(other)[:, -1:])
    check_sentences_may_change_places(module, x[:, : SHORT + 3])
