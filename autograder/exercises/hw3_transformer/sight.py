"""What a position of a target should see, and what it shouldn't: which logits move, and when."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, repeat

import torch

from autograder.testing import ModuleProxy, expect

from .calls import Maker, has_layers_out_of_sight
from .small_models import (
    COMMON,
    NOISE,
    SRC,
    TGT,
    Asked,
    DrawTokens,
    S,
    T,
    are_mixed,
    asked,
    different_tokens,
    logits_of,
    moved,
    other_token,
)

SOURCE_ORDERS = ([1, 0, 2, 3, 4, 5], [0, 1, 2, 5, 4, 3], [5, 4, 3, 2, 1, 0])
TARGET_ORDERS = ([3, 2, 1, 0, 4, 5], [2, 0, 1, 3, 4, 5])
# With weights that are LARGE times as large, a head looks at one token, and much more than the
# share FEW of what moved logits moves none. Many heads may look at all of a few, but not of MANY.
LARGE, FEW, MANY = 10.0, 0.15, 20
EXACT = 1e-6  # of the logits' spread: what isn't looked at moves by nothing at all
NEIGHBOURS = ([1, 0, 2, 3, 4, 5], [0, 2, 1, 3, 4, 5], [0, 1, 2, 4, 3, 5])


def never_ahead(case: Asked) -> None:
    """Require that a token of the target that changes moves no logits before it."""
    for place in range(T):
        now = case.moved(tgt=other_token(case.tgt, place))
        if not now[:, :place].any():
            continue
        logits_of(case.model, case.src[:, 1:], case.tgt)  # whose rows are they at all?
        expect.that(
            False,
            "When a token of the target changes, logits before it move: they peek ahead at what "
            "they should predict. Each layer of the decoder has to hide later tokens.",
            "transformer-peeks-ahead",
        )


def knows_no_end(case: Asked) -> None:
    """Require that the end of the target, when it is left out, moves no logits before it."""
    for length in range(1, T):
        if not case.moved(tgt=case.tgt[:, :length]).any():
            continue
        never_ahead(case)
        expect.that(
            False,
            "When the end of the target is left out, the logits of what stays are no longer the "
            "same. A writer doesn't know yet how long the text will be. Where does its length "
            "decide anything?",
            "transformer-knows-the-length",
        )


def sees_its_own_sequence(
    model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor, *, inner: bool = False
) -> None:
    """Require that the logits of a sequence stay as they are when the others change."""
    expect.that(
        not are_mixed(model, src, tgt, inner=inner),
        "A sequence gets different logits when others are beside it in the batch. Which axis "
        "counts the sequences, and does every layer know it?",
        "transformer-sequences-mixed",
    )


def reads_what_was_written(case: Asked) -> None:
    """Require that a token of the target moves the logits at its place, and all later ones."""
    for place in range(T):
        now = case.moved(tgt=other_token(case.tgt, place))
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
        bool(case.moved(src=(case.src + 1) % COMMON).any()),
        "Every token of the source changes, and no logit moves.",
        "transformer-source-ignored",
    )
    for place in range(S):
        now = case.moved(src=other_token(case.src, place))
        expect.that(
            bool(now.any(dim=0).all()),
            "A token of the source changes, and some logits don't move. The whole source is known "
            "before the first word is written: every position of the target looks at all of it.",
            "transformer-source-seen-in-part",
        )


def sees_any_number(case: Asked, draw_tokens: DrawTokens) -> None:
    """Require that a token which is added to the source moves the logits, whatever its number."""
    src = different_tokens(draw_tokens, SRC, S - 1)
    case = asked(case.model, src, draw_tokens(1, T, vocab_size=COMMON).expand(SRC, T).contiguous())
    now = case.moved(src=torch.cat([src, torch.arange(SRC).unsqueeze(1)], dim=1)).any(dim=1)
    assert now.any(), "A token is added to the source, whichever it is, and no logit moves."
    expect.that(
        bool(now.all()),
        "One more token at the end of the source makes logits move, but with one token number it "
        "moves none. There is no padding in this homework. What does your model do with that "
        "number?",
        "transformer-token-never-seen",
    )


def knows_tokens_by_their_features(model: ModuleProxy, draw_tokens: DrawTokens) -> None:
    """Require that two tokens with the same features make the same logits, whatever their numbers.

    Every odd number gets the features of the even one before it, wherever the model has a table
    with a row, or a column, for each token of a vocabulary. Where features come from elsewhere, as
    most of the tokens show, nothing is asked.
    """
    state = model.state()
    given = {"source": SRC, "target": TGT}
    for side, size in given.items():
        same = {}
        for name in model.parameters():
            table = state[name].clone()
            if table.dim() == 2 and size in table.shape:
                rows = table if len(table) == size else table.T
                rows[1::2] = rows[: size // 2 * 2 : 2].clone()
                same[name] = table
        if not same:
            continue
        model.load(same)
        src, tgt = (draw_tokens(1, T, vocab_size=COMMON).repeat(COMMON // 2, 1) for _ in range(2))
        tokens = src if side == "source" else tgt
        tokens[:, 2] = 2 * torch.arange(COMMON // 2)  # one table for both is another test's
        even = logits_of(model, src, tgt)
        tokens[:, 2] += 1
        odd = logits_of(model, src, tgt)
        model.load({name: state[name] for name in same})
        differ = moved(odd, even).any(dim=1)
        expect.that(
            not differ.any() or bool(differ.float().mean() > 0.5),
            f"We gave two tokens of the {side} the same features, and your model makes other "
            "logits of the one than of the other. There is no padding in this homework, and no "
            "number is special. Does anything in your code look at the numbers of tokens, besides "
            "the table?",
            f"transformer-number-of-the-{side}-special",
        )


def tells_tokens_apart(model: ModuleProxy, draw_tokens: DrawTokens) -> None:
    """Require that the logits at a place differ for any two tokens of the target's vocabulary.

    A model that doesn't read the token at its own place is another test's.
    """
    src, tgt = (draw_tokens(1, T, vocab_size=COMMON).repeat(TGT, 1) for _ in range(2))
    tgt[:, 2] = torch.arange(TGT)
    logits = logits_of(model, src, tgt, inner=True)[:, 1]
    gaps = torch.cdist(logits, logits, p=torch.inf).fill_diagonal_(torch.inf)
    is_alike = gaps < NOISE * logits.std()
    expect.that(
        bool(is_alike.fill_diagonal_(True).all()) or not bool(is_alike.fill_diagonal_(False).any()),
        "Two tokens of the target's vocabulary get the same logits where they stand at the same "
        "place. Each token of either vocabulary is a word of its own. Which table are the target's "
        "tokens looked up in, and by which number?",
        "transformer-tokens-alike",
    )


def sees_all(model: ModuleProxy, src: torch.Tensor, tgt: torch.Tensor) -> bool:
    """Tell whether the last logits move with each token of the source, and of the target."""
    case = Asked(model, src, tgt, logits_of(model, src, tgt, as_long_as_any=True))
    return all(
        bool(case.moved(**{side: other_token(tokens, place)})[:, -1].any())
        for side, tokens in (("src", src), ("tgt", tgt))
        for place in range(tokens.shape[1])
    )


def chooses_where_to_look(make: Maker, draw_tokens: DrawTokens) -> None:
    """Require that with large weights a token moves far fewer logits than with ordinary ones.

    Attention then settles on few tokens and hardly sees the rest. What averages, adds up or looks
    up moves with each token as before, and no law shows that such a model attends. Where a batch's
    sequences are mixed, or what was asked before counts, single tokens and fresh models tell.
    """
    sizes = {"n_heads": 1, "n_layers": 1, "max_len": S + 1}
    if _is_choosy(repeat(make(**sizes)), draw_tokens, [torch.eye(S, dtype=torch.int64)]):
        return
    few = torch.zeros(5, MANY, MANY, dtype=torch.int64)
    few[range(5), 0, range(5)] = 1
    fresh = make.equal(1 + 4 * (1 + len(few)), **sizes | {"max_len": MANY + 1})
    if _is_choosy(iter(fresh), draw_tokens, list(few)):
        return
    assert has_layers_out_of_sight(make, draw_tokens), (  # whose weights can't be set
        "We made the weights of your model large. Attention then looks at few tokens, and what it "
        "doesn't look at moves nothing. In yours every token counts as before. What decides how "
        "much each of them counts?"
    )


def _is_choosy(
    models: Iterator[ModuleProxy], draw_tokens: DrawTokens, changes: Sequence[torch.Tensor]
) -> bool:
    """Tell whether of the logits that move, on either side, large weights leave many unmoved.

    Each call asks the next of the equal `models`. A batch's sequences are equal, but for the tokens
    that change: those where a matrix of `changes` is 1.
    """
    size = len(changes[0])
    src, tgt = (draw_tokens(1, size, vocab_size=COMMON).repeat(size, 1) for _ in range(2))
    first = next(models)
    state = first.state()
    usual = {name: state[name] for name in first.parameters()}
    large = {name: LARGE * value for name, value in usual.items()}
    for others in (
        [(src, (tgt + change) % COMMON) for change in changes],
        [((src + change) % COMMON, tgt) for change in changes],
    ):
        pairs = [(src, tgt), *others]
        move = _moved_from_first(models, usual, pairs, NOISE)
        still_move = _moved_from_first(models, large, pairs, EXACT)
        if int((move & ~still_move).sum()) > max(FEW * int(move.sum()), size / 2):
            return True
    return False


def _moved_from_first(
    models: Iterator[ModuleProxy],
    parameters: dict[str, torch.Tensor],
    pairs: Sequence[tuple[torch.Tensor, torch.Tensor]],
    least: float,
) -> torch.Tensor:
    """Tell which logits of each later pair differ from the first's: (pairs - 1, batch, t) bool.

    Each pair is asked of the next of `models`, with these `parameters`.
    """
    logits = []
    for model, (src, tgt) in zip(islice(models, len(pairs)), pairs, strict=True):
        model.load(parameters)
        logits.append(logits_of(model, src, tgt))
    return torch.stack([moved(after, logits[0], least) for after in logits[1:]])


def reads_something(case: Asked) -> None:
    """Require that another target moves logits: a model that sees nothing can't peek either."""
    assert case.moved(tgt=(case.tgt + 1) % COMMON).any(), (
        "Every token of the target changes, and no logit moves."
    )


def knows_the_order(case: Asked, shallow: Sequence[Asked]) -> None:
    """Require that tokens which change places move logits, in the source and in the target.

    `shallow` are models with a single layer; all are asked with the same source and target.
    """
    in_source = any(case.moved(src=case.src[:, order]).any() for order in SOURCE_ORDERS)
    in_target = all(_last_moves(shallow, order) for order in TARGET_ORDERS)
    expect.that(
        in_source or in_target,
        "Tokens of the source change places, and tokens of the target, and the logits stay as "
        "they were. Attention by itself doesn't know where a token is.",
        "transformer-no-positions",
    )
    expect.that(
        in_source,
        "The tokens of the source change places, and the logits stay as they were: to your model "
        "the source is a bag of tokens. Attention by itself doesn't know where a token is.",
        "transformer-no-positions-in-the-source",
    )
    expect.that(
        in_target,
        "Earlier tokens of the target change places, and the last position doesn't notice: "
        "to your decoder, what was written is a bag of tokens. Attention by itself doesn't "
        "know where each is.",
        "transformer-no-positions-in-the-target",
    )
    after = [case.moved(src=case.src[:, order]) for order in SOURCE_ORDERS]
    assert all(bool(each.any(dim=0).all()) for each in after), (
        "Two tokens of the source change places, and some logits stay as they were. Every place "
        "needs a position of its own."
    )
    assert all(_last_moves(shallow, order) for order in NEIGHBOURS), (
        "Two neighbours among the earlier tokens of the target change places, and the last "
        "position doesn't notice. Does every token have a place of its own?"
    )


def _last_moves(cases: Sequence[Asked], order: Sequence[int]) -> bool:
    """Tell whether the last logits move in any of the models when the target is put in `order`."""
    return any(bool(case.moved(tgt=case.tgt[:, order])[:, -1].any()) for case in cases)
