"""Calls of a student's Transformer: equal models to ask, and what one call does to the next."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any

from autograder.testing import ModuleProxy, Student, expect
from autograder.testing.failures import StudentRaised

from .sizes import numbers_by_name
from .small_models import (
    COMMON,
    SIZES,
    SRC,
    TGT,
    DrawTokens,
    drawn_pair,
    logits_of,
    moved,
    small_model,
)
from .tiny_models import Draw

COPIES = 64  # of a sequence in a batch: without dropout they get equal logits


@dataclass(frozen=True)
class Maker:
    """Makes small models in eval mode, whose parameters are random."""

    student: Student
    draw: Draw

    def __call__(self, scale: float = 1.0, **sizes: Any) -> ModuleProxy:
        """Make a model whose parameters are of ordinary size, or `scale` times that."""
        return self._drawn(small_model(self.student, **sizes), scale)

    def by_default(self) -> ModuleProxy:
        """Make a model of the sizes that it has unless told otherwise."""
        return self._drawn(self.student.Transformer(SRC, TGT), scale=1.0)

    def _drawn(self, model: ModuleProxy, scale: float) -> ModuleProxy:
        model.eval()
        state, drawn = model.state(), {}
        for name in numbers_by_name(model):
            old = state[name]
            fan_in = old.shape[-1] if old.dim() > 1 else 1
            new = self.draw(*old.shape, scale=scale * fan_in**-0.5 if old.dim() > 1 else 0.2)
            drawn[name] = new if old.dim() > 1 else old + new  # norms stay near 1
        model.load(drawn)
        return model

    def equal(self, number: int, **sizes: Any) -> list[ModuleProxy]:
        """Make models in eval mode with equal parameters, which nobody has asked yet."""
        state = self(**sizes).state()
        models = [small_model(self.student, **sizes) for _ in range(number)]
        for model in models:
            model.load(state)
            model.eval()
        return models


def unless_calls_interfere(test: Callable[..., None]) -> Callable[..., None]:
    """Let a hidden test that fails say first whether calls interfere, for then all it says is void.

    The test takes the fixtures `transformer` and `draw_tokens`.
    """

    @wraps(test)
    def tested(transformer: Maker, draw_tokens: DrawTokens, **fixtures: Any) -> None:
        try:
            test(transformer=transformer, draw_tokens=draw_tokens, **fixtures)
        except AssertionError:
            each_call_stands_alone(transformer, draw_tokens)
            raise

    return tested


def each_call_stands_alone(make: Maker, draw_tokens: DrawTokens) -> None:
    """Require that logits depend on nothing but the parameters, the source and the target.

    Where even the first calls of equal models differ, something is drawn: in each call, or once,
    as a table may be that isn't learned. Then nothing can be said of what a call leaves behind.
    """
    used, fresh, other = make.equal(3)
    before, now = drawn_pair(draw_tokens), drawn_pair(draw_tokens)
    logits_of(used, *before)
    after_another, alone, alike, again = (
        logits_of(model, *now) for model in (used, fresh, other, fresh)
    )
    if moved(alike, alone).any():
        expect.that(
            not bool(moved(again, alone).any()),
            "Asked the same twice, in eval mode and with dropout=0.0, your model gives two "
            "answers, and so do two models with equal parameters: something is drawn in "
            "`forward`.",
            "transformer-drawn-anew",
        )
        return
    expect.that(
        not bool(moved(again, alone).any() or moved(after_another, alone).any()),
        "Two models have equal parameters, and one of them was asked something before: now they "
        "give different logits for the same source and target. What does a call leave behind?",
        "transformer-keeps-something",
    )


def rests_without_dropout(usual: ModuleProxy, draw_tokens: DrawTokens) -> None:
    """Require that a model made without `dropout` gives equal logits twice in train mode."""
    usual.train()
    src, tgt = drawn_pair(draw_tokens)
    first, second = (logits_of(usual, src, tgt) for _ in range(2))
    if not moved(second, first).any():
        return
    says = (
        "Asked the same twice, your code gives two answers. This was in train mode, where dropout "
        "is 0.0 unless told otherwise."
    )
    expect.that(not drops_out(usual.student, draw_tokens), says, "transformer-dropout-forgotten")
    raise AssertionError(says + " Apart from dropout, nothing should be drawn.")


def drops_out(student: Student, draw_tokens: DrawTokens) -> bool:
    """Tell whether what differs between runs in train mode is dropout, and not noise.

    In a narrow model, dropout spares everything now and then, and so the logits of some copies of
    a sequence agree between two runs. Noise spares nothing.
    """
    model: ModuleProxy = student.Transformer(SRC, TGT, 4, 1, 1, 1, 4)
    model.train()
    src, tgt = (draw_tokens(1, 1, vocab_size=COMMON) for _ in range(2))
    first, second = (
        logits_of(model, src.repeat(COPIES, 1), tgt.repeat(COPIES, 1))[:, 0] for _ in range(2)
    )
    gaps = (first.unsqueeze(1) - second).abs().amax(dim=-1)
    return bool((gaps < 1e-6).any())


def has_its_arguments_by_name(student: Student) -> None:
    """Require that a model which can be made by position can be made by its arguments' names."""
    sizes = {"src_vocab": SRC, "tgt_vocab": TGT} | SIZES
    student.Transformer(*sizes.values())
    try:
        student.Transformer(**sizes)
    except StudentRaised as error:
        expect.that(False, str(error), "transformer-other-argument-names")


def has_layers_out_of_sight(make: Maker, draw_tokens: DrawTokens) -> bool:
    """Tell whether layers compute that torch doesn't find, as where a plain list holds them.

    Their weights are no parameters, so models with equal parameters give different logits, each
    always its own; and `eval` doesn't reach them, so they drop out in eval mode.
    """
    src, tgt = drawn_pair(draw_tokens)
    one, other = make.equal(2)
    first, again, theirs = (logits_of(model, src, tgt) for model in (one, one, other))
    if moved(again, first).any() or not moved(theirs, first).any():
        return False
    dropping = make(dropout=0.5)
    return bool(moved(logits_of(dropping, src, tgt), logits_of(dropping, src, tgt)).any())
