"""Hidden tests of `Transformer`: how it behaves, whatever it looks like inside.

Nothing is known of its weights but their number, so they are set to random values of ordinary size:
how a model was initialised decides nothing. One thing is changed at a time, and the test looks at
which logits move. Since a model's names are its own, a check says by itself which mistake it shows.
"""

from __future__ import annotations

from functools import partial

import numpy as np

from autograder.testing import ModuleProxy, Student, expect, laws, points

from .. import sight
from ..calls import Maker, rests_without_dropout, unless_calls_interfere
from ..sizes import grows_with_its_layers, numbers_by_name, numbers_to_learn
from ..small_models import (
    BATCH,
    D_MODEL,
    SRC,
    TGT,
    DrawTokens,
    S,
    T,
    asked,
    different_tokens,
    drawn_pair,
    every_token,
    gradient_of_the_loss,
    is_steady,
    logits_of,
    logits_of_either_mode,
    moved,
)


@points(1)
@unless_calls_interfere
def test_sequences_of_any_length_and_number_get_logits_of_their_own(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """Each sequence gets logits as if it were alone, in whatever order lengths are asked for."""
    model = transformer(max_len=520)
    laws.leaves_inputs_alone(
        transformer.student,
        lambda: is_steady(model, *drawn_pair(draw_tokens)),
        reveals="transformer-writes-into-its-arguments",
    )
    cases = ((BATCH, S, T), (2, 4, 7), (1, 520, 2), (1, 2, 520), (1, 1, 1), (2, 70, 70), (2, 4, 7))
    for batch, s, t in cases:
        src = different_tokens(draw_tokens, batch, s, SRC)
        tgt = different_tokens(draw_tokens, batch, t, TGT)
        together = logits_of(model, src, tgt)
        for row in range(batch) if batch > 1 else ():  # the longest are asked for once
            alone = logits_of(model, src[row : row + 1], tgt[row : row + 1])
            expect.that(
                not bool(moved(together[row : row + 1], alone).any()),
                "A sequence gets different logits when others are beside it in the batch. Which "
                "axis counts the sequences, and does every layer know it?",
                "transformer-sequences-mixed",
            )


@points(1)
def test_logits_of_the_targets_vocabulary_are_returned_and_not_probabilities(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """What comes back are scores, (batch, t, tgt_vocab), before a softmax."""
    src, tgt = drawn_pair(draw_tokens)
    model = transformer()
    logits = logits_of(model, src, tgt)
    returned = tuple(model(src, tgt).shape)
    for shape, tag in (
        ((BATCH, TGT, T), "transformer-axes-exchanged"),
        ((BATCH, T, SRC), "transformer-source-vocabulary"),
        ((BATCH, T, D_MODEL), "transformer-no-logits"),
    ):
        says = f"The logits are (batch, t, tgt_vocab), here {(BATCH, T, TGT)}: yours are {shape}."
        expect.that(returned != shape, says, tag)
    expect.array(logits, (BATCH, T, TGT), "tensor", "The logits are (batch, t, tgt_vocab).")
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


@points(1)
@unless_calls_interfere
def test_no_position_depends_on_what_comes_later(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """A token of the target that changes, or is left out, moves no logits before it."""
    case = asked(transformer(), *drawn_pair(draw_tokens))
    is_steady(case.model, case.src, case.tgt)
    sight.never_ahead(case)


@points(1)
@unless_calls_interfere
def test_every_position_reads_all_that_was_written(
    transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """A token of the target that changes moves the logits at its place, and later ones."""
    case = asked(transformer(), *drawn_pair(draw_tokens))
    sight.reads_what_was_written(case)


@points(1)
@unless_calls_interfere
def test_every_token_of_the_source_matters(transformer: Maker, draw_tokens: DrawTokens) -> None:
    """Whichever token of the source changes, all logits move; a token that is added counts too."""
    case = asked(transformer(), *drawn_pair(draw_tokens))
    sight.sees_the_whole_source(case)
    sight.sees_any_number(case, draw_tokens)


@points(1)
@unless_calls_interfere
def test_the_order_of_the_source_matters(transformer: Maker, draw_tokens: DrawTokens) -> None:
    """Two tokens of the source that change places move the logits."""
    src = different_tokens(draw_tokens, BATCH, S, SRC)
    case = asked(transformer(), src, draw_tokens(BATCH, T, vocab_size=TGT))
    sight.knows_the_order_of_the_source(case)


@points(1)
@unless_calls_interfere
def test_the_order_of_the_target_matters(transformer: Maker, draw_tokens: DrawTokens) -> None:
    """In a single layer, earlier tokens of the target that change places move the last logits.

    With more layers the causal mask alone would give the order away. Where positions are large,
    attention may settle on one of them, so smaller weights are tried as well.
    """
    src = draw_tokens(BATCH, S, vocab_size=SRC)
    tgt = different_tokens(draw_tokens, BATCH, T, TGT)
    cases = [asked(transformer(scale, n_layers=1), src, tgt) for scale in (1.0, 0.3)]
    sight.knows_the_order_of_the_target(cases)


@points(1)
def test_a_gradient_reaches_every_parameter(
    transformer: Maker, rng: np.random.Generator, draw_tokens: DrawTokens
) -> None:
    """Under cross-entropy, every parameter of the model gets a gradient that is not zero."""
    model, (src, tgt) = transformer(), every_token(rng)
    cotangent = gradient_of_the_loss(model, src, tgt, draw_tokens)
    tag = "transformer-parameters-without-gradient"
    laws.learns(model, src, tgt, cotangent=cotangent, reveals=tag)


@points(1)
def test_every_token_has_features_that_learn(
    student: Student, transformer: Maker, rng: np.random.Generator, draw_tokens: DrawTokens
) -> None:
    """A larger vocabulary makes a larger model, and no token of a table goes without gradient."""
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
    model, (src, tgt) = transformer(), every_token(rng)
    cotangent = gradient_of_the_loss(model, src, tgt, draw_tokens)
    for name, gradient in model.gradients(src, tgt, cotangent=cotangent).items():
        is_table = gradient is not None and gradient.dim() == 2 and len(gradient) in (SRC, TGT)
        expect.that(
            not is_table or not gradient.any() or bool(gradient.any(dim=1).all()),
            f"In `{name}` some row, and so some token, gets no gradient, though all tokens occur.",
            "transformer-token-without-gradient",
        )


@points(1)
def test_every_size_is_taken_from_the_arguments(
    student: Student, transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """Larger sizes make a larger model, in encoder and decoder, and no two layers share weights.

    Unless told otherwise: d_model = 64, n_heads = 4, d_ff = 128, 2 layers, max_len = 64.
    """
    src, tgt = draw_tokens(2, 3, vocab_size=SRC), draw_tokens(2, 3, vocab_size=TGT)
    logits_of(transformer(), src, tgt)
    numbers = partial(numbers_to_learn, student)
    grows_with_its_layers(numbers)
    assert numbers(d_model=D_MODEL + 8) > numbers(), (
        "With a larger d_model, your model has no more numbers to learn than before."
    )
    usual, told = (
        sum(numbers_by_name(student.Transformer(TGT, SRC, *sizes)).values())
        for sizes in ((), (64, 4, 128, 2, 64))
    )
    assert usual == told, (
        "By default the model should have d_model = 64, d_ff = 128, 2 layers and max_len = 64. "
        "Yours has other sizes."
    )


@points(1)
@unless_calls_interfere
def test_the_number_of_heads_has_an_effect(
    student: Student, transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """With the same parameters, one head and four heads return different logits."""
    one, four = transformer(n_heads=1), transformer(n_heads=4)
    if one.parameters() != four.parameters():
        return  # the parameters tell how many heads there are
    four.load(one.state())
    effects = []
    for s, t in ((S, 1), (1, T)):  # the latter is decided by the decoder's self-attention alone
        src, tgt = draw_tokens(BATCH, s, vocab_size=SRC), draw_tokens(BATCH, t, vocab_size=TGT)
        is_steady(one, src, tgt)
        now = moved(logits_of(four, src, tgt), logits_of(one, src, tgt))
        effects.append(bool(now.any()))
    expect.that(
        any(effects),
        "With the same parameters, a model with one head and a model with four return the same "
        "logits. Which layers of yours get `n_heads`?",
        "transformer-n-heads-without-effect",
    )
    assert all(effects), (
        "With the same parameters, a model with one head and a model with four return the same "
        "logits where either the source or the target is a single token. Every attention should "
        "get `n_heads`."
    )


@points(1)
@unless_calls_interfere
def test_dropout_is_there_in_train_mode_alone(
    student: Student, transformer: Maker, draw_tokens: DrawTokens
) -> None:
    """With dropout=0.5, two runs differ in train mode and agree in eval mode; the default is 0."""
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
    usual: ModuleProxy = student.Transformer(SRC, TGT)
    resting = logits_of_either_mode(usual, src, tgt, is_train=False)
    rests_without_dropout(usual, draw_tokens)
    expect.that(
        not bool(moved(logits_of(usual, src, tgt), resting).any()),
        "Without dropout, train mode and eval mode should give the same logits, but yours differ. "
        "What in your model depends on the mode?",
        "transformer-modes-differ",
    )
