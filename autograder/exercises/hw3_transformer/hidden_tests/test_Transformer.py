"""Hidden tests of `Transformer`: how it behaves, whatever it looks like inside.

Nothing is known of its weights but their number, so they are set to random values of ordinary size:
how a model was initialised decides nothing. One thing is changed at a time, and the test looks at
which logits move. Since a model's names are its own, a check says by itself which mistake it shows.
A mistake in one idea costs that idea's points: other tests ask for tokens that both vocabularies
have, and in batches of as many sequences as each has tokens. A law earns nothing for a model that
doesn't choose where to look.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.testing import Student, expect, laws, points

from .. import sight
from ..calls import (
    Maker,
    has_its_arguments_by_name,
    has_layers_out_of_sight,
    rests_without_dropout,
    unless_calls_interfere,
)
from ..sizes import (
    grows_with_its_arguments,
    has_layers_on_both_sides,
    numbers_by_name,
    numbers_that_learn,
    numbers_to_learn,
)
from ..small_models import (
    BATCH,
    COMMON,
    D_MODEL,
    SRC,
    TGT,
    DrawTokens,
    S,
    T,
    are_mixed,
    asked,
    cuts_the_target,
    different_tokens,
    drawn_pair,
    every_token,
    gradient_of_the_loss,
    is_cut_off_at_zero,
    is_steady,
    logits_of,
    logits_of_either_mode,
    moved,
    small_model,
)
from ..tiny_models import Draw

OWN = (
    "every position knows its own source and what was written, whole and in order, and no other "
    "sequence"
)
AHEAD = "no peeking ahead"
LAYERS = (
    "the layers of encoder and decoder are there; the loss trains each of them and all the rest"
)


@points(1, OWN)
@unless_calls_interfere
def test_each_sequence_is_treated_as_if_it_were_alone(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """A sequence gets the same logits alone and in a batch; source and target are left alone.

    The first place and the last are left out: under a wrong mask they may see nothing at all, which
    is another test's.
    """
    model = transformer(n_layers=1)
    laws.leaves_inputs_alone(
        transformer.student,
        lambda: logits_of(model, *drawn_pair(draw_tokens), inner=True),
        reveals="transformer-writes-into-its-arguments",
    )
    sight.sees_its_own_sequence(model, *drawn_pair(draw_tokens), inner=True)
    for batch, length in ((7, 6), (2, 5)):
        src, tgt = (different_tokens(draw_tokens, batch, length) for _ in range(2))
        together = logits_of(model, src, tgt, inner=True)
        for row in range(batch):
            alone = logits_of(model, src[row : row + 1], tgt[row : row + 1], inner=True)
            expect.that(
                not bool(moved(together[row : row + 1], alone).any()),
                "A sequence gets different logits when others are beside it in the batch. Which "
                "axis counts the sequences, and does every layer know it?",
                "transformer-sequences-mixed",
            )
    sight.chooses_where_to_look(transformer, draw_tokens)


@points(1, "logits for the target's vocabulary")
def test_logits_of_the_targets_vocabulary_are_returned_and_not_probabilities(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """What comes back are scores, (batch, t, tgt_vocab), for any tokens of the vocabularies."""
    batch, s, t = 7, 6, 5
    model = transformer(n_layers=1)
    given = (draw_tokens(batch, length, vocab_size=COMMON) for length in (s, t))
    logits_of(model, *given, inner=True)
    src, tgt = draw_tokens(batch, s, vocab_size=SRC), draw_tokens(batch, t, vocab_size=TGT)
    tgt[0, 0] = TGT - 1
    logits = logits_of(model, src, tgt, inner=True)
    came = model(src, tgt)
    returned = tuple(getattr(came, "shape", ()))
    for shape, name in (((batch, TGT), "only"), ((batch, 1, TGT), "with-an-axis")):
        expect.that(
            returned != shape,
            "You return one row of logits per sequence. The logits are (batch, t, tgt_vocab).",
            f"transformer-last-position-{name}",
        )
    expect.that(
        not cuts_the_target(model, src, tgt, came),
        "For a target of t tokens you return t - 1 rows of logits. The logits are (batch, t, "
        "tgt_vocab).",
        "transformer-target-cut",
    )
    for shape, tag in (
        ((batch, TGT, t), "transformer-axes-exchanged"),
        ((batch * t, TGT), "transformer-flattened"),
        ((batch, t, SRC), "transformer-source-vocabulary"),
        ((batch, t, D_MODEL), "transformer-no-logits"),
    ):
        says = f"The logits are (batch, t, tgt_vocab), here {(batch, t, TGT)}: yours are {shape}."
        expect.that(returned != shape, says, tag)
    expect.array(came, (batch, t, TGT), "tensor", "The logits are (batch, t, tgt_vocab).")
    turned = small_model(transformer.student, TGT, SRC, n_layers=1)(tgt, src)  # fewer to write
    expect.that(
        tuple(getattr(turned, "shape", ())) != (batch, s, TGT),
        f"With {TGT} tokens in the source's vocabulary and {SRC} in the target's, you return a "
        "logit for each of the source's.",
        "transformer-larger-vocabulary",
    )
    sight.tells_tokens_apart(model, draw_tokens)
    expect.that(
        not bool(((logits >= 0) & (logits <= 1)).all()),
        "All your numbers lie between 0 and 1, as probabilities do. Return the logits, before any "
        "softmax: the loss applies it itself.",
        "transformer-probabilities",
    )
    expect.that(
        bool((logits < 0).any()),
        "None of your numbers is negative. Logits may be any numbers. What do you apply to the "
        "last linear layer's result?",
        "transformer-logits-not-negative",
    )


@points(2, AHEAD)
@unless_calls_interfere
def test_no_position_depends_on_what_comes_later(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """A token of the target that changes moves no logits before it."""
    case = asked(transformer(), *drawn_pair(draw_tokens))
    is_steady(case.model, case.src, case.tgt)
    sight.never_ahead(case)
    sight.reads_something(case)
    sight.chooses_where_to_look(transformer, draw_tokens)


@points(1, AHEAD)
@unless_calls_interfere
def test_no_position_depends_on_how_much_comes_later(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """The end of the target, when it is left out, moves no logits before it."""
    case = asked(transformer(), *drawn_pair(draw_tokens))
    is_steady(case.model, case.src, case.tgt)
    sight.knows_no_end(case)
    sight.reads_something(case)
    sight.chooses_where_to_look(transformer, draw_tokens)


@points(2, OWN)
@unless_calls_interfere
def test_every_position_knows_the_source_and_what_was_written_in_order(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """Whichever token changes, or changes places with another, all logits that may move do.

    In the target, places are exchanged with a single layer: with more, the causal mask alone would
    give the order away. Where positions are large, attention may settle on one of them, so smaller
    weights are tried as well.
    """
    case = asked(transformer(max_len=SRC + 1), *drawn_pair(draw_tokens))
    logits_of(case.model, case.src, case.tgt[:, :-1])  # of a source that is longer, too
    sight.sees_its_own_sequence(case.model, case.src, case.tgt)
    sight.sees_the_whole_source(case)
    sight.sees_any_number(case, draw_tokens)
    sight.knows_tokens_by_their_features(transformer(), draw_tokens)
    sight.reads_what_was_written(case)
    src, tgt = (different_tokens(draw_tokens, BATCH, length) for length in (S, T))
    shallow = [asked(transformer(scale, n_layers=1), src, tgt) for scale in (1.0, 0.3)]
    sight.knows_the_order(asked(transformer(), src, tgt), shallow)
    sight.chooses_where_to_look(transformer, draw_tokens)


@points(3, LAYERS)
def test_encoder_and_decoder_have_their_layers_and_each_of_them_learns(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """With n_layers=2 there are two feed-forward networks on each side, and the loss trains all."""
    has_layers_on_both_sides(
        partial(numbers_that_learn, transformer),
        lambda: has_layers_out_of_sight(transformer, draw_tokens),
    )
    sight.chooses_where_to_look(transformer, draw_tokens)


@points(1, LAYERS)
def test_a_gradient_reaches_every_parameter_and_every_token_has_features(
    student: Student,
    transformer: Maker,
    rng: np.random.Generator,
    draw: Draw,
    draw_tokens: DrawTokens,
) -> None:
    """Under cross-entropy, every parameter gets a gradient, and so does each token's row."""
    model, (src, tgt) = transformer(), every_token(rng)
    cotangent = gradient_of_the_loss(model, src, tgt, draw_tokens)
    tag = "transformer-parameters-without-gradient"
    laws.learns(model, src, tgt, cotangent=cotangent, draw=draw, reveals=tag)
    numbers = partial(numbers_to_learn, student)
    for vocabulary, is_larger in (
        ("source", numbers(src=TGT + 3) > numbers(src=TGT)),
        ("target", numbers(tgt=TGT + 3) > numbers()),
    ):
        expect.that(
            is_larger,
            f"With a larger vocabulary of the {vocabulary}, your model has no more numbers to "
            "learn. Each token needs features of its own, which learn like all the rest.",
            "transformer-out-of-reach",
        )
    sight.chooses_where_to_look(transformer, draw_tokens)
    if are_mixed(model, src, tgt):
        return  # one sequence may speak for all: that is another test's
    if is_cut_off_at_zero(logits_of(model, src, tgt)):
        return  # no gradient passes where a ReLU gives 0: that is another test's
    for name, gradient in model.gradients(src, tgt, cotangent=cotangent).items():
        is_table = gradient is not None and gradient.dim() == 2 and len(gradient) in (SRC, TGT)
        expect.that(
            not is_table or not gradient.any() or bool(gradient[:COMMON].any(dim=1).all()),
            f"In `{name}` some row, and so some token, gets no gradient, though its token occurs.",
            "transformer-token-without-gradient",
        )


@points(1, "every argument has its name and its effect")
def test_every_argument_has_its_effect(
    student: Student, transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """Larger sizes make a larger model; n_heads, dropout and max_len do what they say.

    Unless told otherwise: d_model = 64, n_heads = 4, d_ff = 128, 2 layers, max_len = 64, dropout 0.
    Elsewhere models have room for a token more than they are given.
    """
    logits_of(transformer(), *drawn_pair(draw_tokens))
    if not has_layers_out_of_sight(transformer, draw_tokens):  # that is another test's
        _sizes_are_taken_from_the_arguments(student, transformer, draw_tokens)
        _dropout_is_there_in_train_mode_alone(transformer=transformer, draw_tokens=draw_tokens)
    _the_number_of_heads_has_an_effect(transformer=transformer, draw_tokens=draw_tokens)
    has_its_arguments_by_name(student)
    model = transformer(max_len=520)
    for batch, s, t in ((1, 520, 2), (1, 2, 520), (1, 1, 1), (2, 70, 70), (2, 4, 7)):
        src, tgt = (different_tokens(draw_tokens, batch, length) for length in (s, t))
        logits_of(model, src, tgt, as_long_as_any=True)


def _sizes_are_taken_from_the_arguments(
    student: Student, transformer: Maker, draw_tokens: DrawTokens
) -> None:
    numbers = partial(numbers_to_learn, student)
    grows_with_its_arguments(numbers)
    usual, told = (
        sum(numbers_by_name(student.Transformer(TGT, SRC, *sizes)).values())
        for sizes in ((), (64, 4, 128, 2, 64))
    )
    assert usual == told, (
        "By default the model should have d_model = 64, d_ff = 128, 2 layers and max_len = 64. "
        "Yours has other sizes."
    )
    longest = draw_tokens(2, 1, 64, vocab_size=COMMON)  # a source and a target
    logits_of(transformer.by_default(), *longest, as_long_as_any=True)


@unless_calls_interfere
def _the_number_of_heads_has_an_effect(transformer: Maker, draw_tokens: DrawTokens) -> None:
    one, four = transformer(n_heads=1), transformer(n_heads=4)
    if one.parameters() != four.parameters():
        return  # the parameters tell how many heads there are
    four.load(one.state())
    effects = []
    for s, t in ((S, 1), (1, T)):  # the latter is decided by the decoder's self-attention alone
        src, tgt = (draw_tokens(BATCH, length, vocab_size=COMMON) for length in (s, t))
        is_steady(one, src, tgt)
        with_four, with_one, of_another = (
            logits_of(model, source, tgt, as_long_as_any=True)
            for model, source in ((four, src), (one, src), (one, (src + 1) % COMMON))
        )
        if not moved(of_another, with_one).any() or not sight.sees_all(one, src, tgt):
            return  # what a single token, or the last one, doesn't see is another test's
        effects.append(bool(moved(with_four, with_one).any()))
    expect.that(
        any(effects),
        "With the same parameters, a model with one head and a model with four return the same "
        "logits. Which layers of yours get `n_heads`?",
        "transformer-n-heads-without-effect",
    )
    expect.that(
        all(effects),
        "With the same parameters, a model with one head and a model with four return the same "
        "logits where either the source or the target is a single token. Every attention should "
        "get `n_heads`.",
        "transformer-n-heads-on-one-side",
    )


@unless_calls_interfere
def _dropout_is_there_in_train_mode_alone(transformer: Maker, draw_tokens: DrawTokens) -> None:
    src, tgt = drawn_pair(draw_tokens)
    is_steady(transformer(), src, tgt)
    model = transformer(dropout=0.5)
    laws.repeats(
        lambda: model(src, tgt),
        "This was in eval mode, with dropout=0.5.",
        reveals="transformer-dropout-in-eval-mode",
    )
    model.train()
    laws.drops_out(lambda: model(src, tgt), reveals="transformer-dropout-ignored")
    usual = transformer.by_default()
    resting = logits_of_either_mode(usual, src, tgt, is_train=False)
    rests_without_dropout(usual, draw_tokens)
    expect.that(
        not bool(moved(logits_of(usual, src, tgt), resting).any()),
        "Without dropout, train mode and eval mode should give the same logits, but yours differ. "
        "What in your model depends on the mode?",
        "transformer-modes-differ",
    )
