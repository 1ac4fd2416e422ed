"""What a position of a target should see, and what it shouldn't: which logits move, and when."""

from __future__ import annotations

from collections.abc import Sequence

import torch

from autograder.testing import expect

from .small_models import SRC, TGT, Asked, DrawTokens, S, T, asked, different_tokens, other_token


def never_ahead(case: Asked) -> None:
    """Require that a token of the target that changes, or goes, moves no logits before it."""
    for place in range(T):
        now = case.moved(tgt=other_token(case.tgt, place, TGT))
        expect.that(
            not bool(now[:, :place].any()),
            "When a token of the target changes, logits before it move: they peek ahead at what "
            "they should predict. Each layer of the decoder has to hide later tokens.",
            "transformer-peeks-ahead",
        )
    for length in range(1, T):
        now = case.moved(tgt=case.tgt[:, :length])
        expect.that(
            not bool(now.any()),
            "When the end of the target is left out, the logits of what stays are no longer the "
            "same. A writer doesn't know yet how long the text will be. From where do you count?",
            "transformer-knows-the-length",
        )


def reads_what_was_written(case: Asked) -> None:
    """Require that a token of the target moves the logits at its place, and all later ones."""
    for place in range(T):
        now = case.moved(tgt=other_token(case.tgt, place, TGT))
        expect.that(
            bool(now[:, place].all()),
            "When a token of the target changes, the logits at its own place stay as they were. "
            "Position i reads token i and says what follows it.",
            "transformer-own-token-unread",
        )
        expect.that(
            bool(now[:, place:].any(dim=0).all()),
            "When a token of the target changes, some later logits don't move. Every position sees "
            "all tokens before it.",
            "transformer-earlier-tokens-unseen",
        )


def sees_the_whole_source(case: Asked) -> None:
    """Require that whichever token of the source changes, the logits at every position move."""
    expect.that(
        bool(case.moved(src=(case.src + 1) % SRC).any()),
        "Every token of the source changes, and no logit moves.",
        "transformer-source-ignored",
    )
    for place in range(S):
        now = case.moved(src=other_token(case.src, place, SRC))
        expect.that(
            bool(now.any(dim=0).all()),
            "A token of the source changes, and some logits don't move. The whole source is known "
            "before the first word is written: every position of the target looks at all of it.",
            "transformer-source-seen-in-part",
        )


def sees_any_number(case: Asked, draw_tokens: DrawTokens) -> None:
    """Require that a token which is added to the source moves the logits, whatever its number."""
    src = different_tokens(draw_tokens, SRC, S - 1, SRC)
    case = asked(case.model, src, draw_tokens(1, T, vocab_size=TGT).expand(SRC, T).contiguous())
    now = case.moved(src=torch.cat([src, torch.arange(SRC).unsqueeze(1)], dim=1)).any(dim=1)
    assert now.any(), "A token is added to the source, whichever it is, and no logit moves."
    expect.that(
        bool(now.all()),
        "One more token at the end of the source makes logits move, but with one token number it "
        "moves none. There is no padding in this homework. What does your model do with that "
        "number?",
        "transformer-token-never-seen",
    )


def knows_the_order_of_the_source(case: Asked) -> None:
    """Require that two tokens of the source which change places move all logits."""
    src = case.src
    assert case.moved(src=(src + 1) % SRC).any(), (
        "Every token of the source changes, and no logit moves."
    )
    orders = ([1, 0, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3], [5, 4, 3, 2, 1, 0])
    after = [case.moved(src=src[:, order]) for order in orders]
    expect.that(
        any(bool(each.any()) for each in after),
        "The tokens of the source change places, and the logits stay as they were: to your model "
        "the source is a bag of tokens. Attention by itself doesn't know where a token is.",
        "transformer-no-positions-in-the-source",
    )
    assert all(bool(each.any(dim=0).all()) for each in after), (
        "Two tokens of the source change places, and some logits stay as they were. Every place "
        "needs a position of its own."
    )


def knows_the_order_of_the_target(cases: Sequence[Asked]) -> None:
    """Require that, of one of the models, earlier tokens which change places move the last logits.

    All `cases` ask with the same target, and their models have a single layer.
    """
    tgt = cases[0].tgt
    for place in range(T - 1):
        other = other_token(tgt, place, TGT)
        assert any(case.moved(tgt=other)[:, -1].any() for case in cases), (
            "An earlier token of the target changes, and the last position doesn't notice."
        )
    for order in ([3, 2, 1, 0, 4], [2, 0, 1, 3, 4]):
        expect.that(
            any(bool(case.moved(tgt=tgt[:, order])[:, -1].any()) for case in cases),
            "Earlier tokens of the target change places, and the last position doesn't notice: "
            "to your decoder, what was written is a bag of tokens. Attention by itself doesn't "
            "know where each is.",
            "transformer-no-positions-in-the-target",
        )
    for order in ([1, 0, 2, 3, 4], [0, 2, 1, 3, 4], [0, 1, 3, 2, 4]):
        assert any(case.moved(tgt=tgt[:, order])[:, -1].any() for case in cases), (
            "Two neighbours among the earlier tokens of the target change places, and the last "
            "position doesn't notice. Does every token have a place of its own?"
        )
