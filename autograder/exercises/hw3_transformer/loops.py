"""What a student's `train` did to TinyModels: whether two runs agree, and what pushes on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import torch

from autograder.testing import Student, describe, expect

from .tiny_models import (
    BOS,
    ONCE,
    Pair,
    State,
    each_loss,
    first_loss,
    is_numeric,
    silent_state,
    text_batch,
    tiny_model,
)

SPREAD = (0, 30, 60, 90)  # batches after which a parameter is looked at
# What 30 more steps add, as a share of what the 30 before them added, if a gradient is cleared: a
# momentum of 0.99 still adds 0.74. One that piles up adds as much again, and under Adagrad 0.77.
FADES = 0.755


@dataclass(frozen=True)
class Trained:
    """What came of a call of `train`: what it returned, and the parameters of its model."""

    losses: Any
    state: State

    def is_like(self, other: Trained) -> bool:
        """Tell whether neither the parameters nor the losses show a difference."""
        if has_moved(other.state, self.state):
            return False
        if not (is_numeric(self.losses) and is_numeric(other.losses)):
            return True
        ours, theirs = np.ravel(self.losses), np.ravel(other.losses)
        return ours.shape == theirs.shape and bool(np.allclose(ours, theirs, atol=1e-6))


def trained(
    student: Student,
    state: State,
    batches: Sequence[Pair],
    lr: float,
    *,
    dropout: float = 0.0,
) -> Trained:
    """Let the student train a fresh TinyModel whose parameters are `state`."""
    model = tiny_model(student, state, dropout)
    losses: Any = student.train(model, list(batches), lr=lr)
    return Trained(losses, model.state())


def learns_from_its_batches(student: Student, state: State, batch: Pair) -> None:
    """Require that another target makes other losses, or another model, and that all is finite.

    A loop that does the same whatever its batches say learns nothing, whichever laws it keeps.
    """
    src, tgt = batch
    other = tgt.clone()
    other[:, 1:-1] = (other[:, 1:-1] + 1) % BOS
    ours, theirs = (trained(student, state, [(src, each)] * 2, lr=0.1) for each in (tgt, other))
    for name, value in ours.state.items():
        assert value.isfinite().all(), (
            f"After two batches there is nan or infinity in the model's `{name}`. What does each "
            "step write there?"
        )
    assert not is_numeric(ours.losses) or np.isfinite(ours.losses).all(), (
        "There is nan or infinity among your losses, and this model's are ordinary numbers."
    )
    assert not ours.is_like(theirs), (
        "Trained on other targets, the model comes out the same, and so do your losses. What in "
        "your loop looks at the batch?"
    )


def numbers_of(losses: Any, count: int) -> list[float]:
    """Return the losses as numbers, of which there have to be `count`."""
    assert is_numeric(losses) and np.size(losses) == count, (
        f"`train` should return a list of {count} losses after {count} batches. What came back is "
        f"{describe(losses)}."
    )
    return [float(loss) for loss in np.ravel(losses)]


def has_moved(before: State, after: State) -> bool:
    """Tell whether any parameter has another value than before."""
    return any(not torch.equal(after[name], value) for name, value in before.items())


def keeps_its_losses(student: Student, losses: Any, batches: Sequence[Pair]) -> None:
    """Require that the `losses` returned for a generator of `batches` are no empty list.

    They are asked for once more, with a list: what empties the generator leaves a list alone.
    """
    if not _is_empty_list(losses):
        return
    listed = trained(student, silent_state(), batches, lr=0.0).losses
    expect.that(
        not _is_empty_list(listed),
        f"After {len(batches)} batches your list of losses is empty, whether they come in a list "
        "or from a generator. What should be put into it in each round?",
        "train-losses-not-kept",
    )
    expect.that(
        _is_empty_list(listed),
        f"For a generator of {len(batches)} batches you return an empty list, and for a list of "
        "them you don't. A generator hands out each of its batches once.",
        "train-generator-used-up",
    )


def _is_empty_list(value: Any) -> bool:
    return isinstance(value, list) and not value


def trains_alike(
    student: Student, state: State, batches: Sequence[Pair], lr: float, runs: int = 2
) -> State:
    """Require that models with equal parameters and no dropout learn the same; return what.

    Wherever a test goes on to compare one run with another, this comes first.
    """
    first, *others = (trained(student, state, batches, lr).state for _ in range(runs))
    for other in others:
        expect.that(
            all(is_close(other[name], value) for name, value in first.items()),
            "Trained anew, from the same parameters and on the same batches, your model comes "
            "out different. It has no dropout, so something else is drawn at random, or left "
            "from an earlier call.",
            "train-drawn-at-random",
        )
    return first


def is_close(value: torch.Tensor, other: torch.Tensor) -> bool:
    """Tell whether two parameters differ by rounding alone; nan is like nan."""
    return torch.allclose(value, other, rtol=1e-5, atol=1e-5, equal_nan=True)


def rows_in_between(student: Student, state: State, once: Pair, often: Pair) -> list[torch.Tensor]:
    """Return the row of ONCE as it was, then after two batches `once` and so many `often`, SPREAD.

    It is two, because an optimiser that warms up may begin with a step of no length.
    """
    states = (
        trained(student, state, [once] * 2 + [often] * others, lr=0.02).state for others in SPREAD
    )
    return [state["last"][ONCE], *(after["last"][ONCE] for after in states)]


def is_pushed_on(rows: Sequence[torch.Tensor]) -> bool:
    """Tell whether a parameter is pushed on and on by a gradient from before the second of `rows`.

    Momentum rolls on as well, but less and less; a decay of the weights leads back to 0, from which
    the parameter came. A gradient that was never cleared does neither.
    """
    direction = rows[1] - rows[0]
    ahead = [float((later - earlier) @ direction) for earlier, later in pairwise(rows[1:])]
    return min(ahead) > 0 and ahead[-1] > FADES * ahead[-2]


def stays_in_train_mode(student: Student, state: State, batch: Pair) -> None:
    """Require that a model with dropout doesn't drop out for the first batch alone.

    With lr=0 its losses differ from those without dropout, or else they are measured in eval mode
    from the first one on, which tells nothing.
    """
    same = [batch] * 4
    returned = [trained(student, state, same, 0.0, dropout=p).losses for p in (0.0, 0.5)]
    without, dropped = (numbers_of(losses, len(same)) for losses in returned)
    drops = [abs(loss - rested) > 1e-6 for loss, rested in zip(dropped, without, strict=True)]
    expect.that(
        not drops[0] or all(drops),
        "A model with dropout drops out for your first batch, but for some later one its loss is "
        "that of a model without. Which mode is it in when the next batch comes?",
        "train-eval-mode-after-a-batch",
    )


def is_not_measured_late(student: Student, state: State, batch: Pair, loss: float) -> None:
    """Require that the `loss` of a first batch, at lr=0.3, isn't that of the model after its step.

    Both are measured with lr=0, where before and after are the same.
    """
    stepped = trained(student, state, [batch], lr=0.3).state
    before, after = (
        first_loss(student, tiny_model(student, each), batch) for each in (state, stepped)
    )
    expect.that(
        not abs(loss - after) <= 1e-4 < abs(after - before),
        "The loss of your first batch is that of the model after the step that followed. It should "
        "tell how good the model was when it met the batch.",
        "train-loss-after-the-step",
    )


def rows_after_another_call(
    student: Student, state: State, once: Pair, often: Pair
) -> tuple[torch.Tensor, torch.Tensor]:
    """Return what a model learns that was trained before, and a fresh one with its parameters."""
    trained_before = tiny_model(student, state)
    student.train(trained_before, [once], lr=0.02)
    fresh = tiny_model(student, trained_before.state())
    for model in (trained_before, fresh):
        student.train(model, [often] * 2, lr=0.02)
    return trained_before.state()["last"], fresh.state()["last"]


def learns_to_end(student: Student) -> None:
    """Require that eos becomes likelier for a model that is trained on texts which end.

    A model that doesn't move at all is another test's.
    """
    state, text = silent_state(), text_batch([3, 1, 4, 1, 6])  # after a 6 comes eos alone
    after = trained(student, state, [text] * 15, lr=0.03).state
    before, now = (each_loss(each, text)[:, -1].mean() for each in (state, after))
    assert now < before - 1e-5 or not has_moved(state, after), (
        "Your model doesn't learn to end: eos is no likelier after training than before. It "
        "should be predicted like any other token, after the last word."
    )
