"""Hidden tests of `train`: laws that hold for any optimiser, then the capstone.

The laws are tried on the `TinyModel` that the notebook gives. Its loss is computed here a second
time, from its parameters and by the formula in its docstring, in double precision.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from autograder.testing import (
    Student,
    describe,
    expect,
    laws,
    points,
    seconds,
    stream,
)

from .. import loops
from ..strings import GOAL, share_learned
from ..tiny_models import (
    EOS,
    Draw,
    Pair,
    State,
    drawn_batch,
    drawn_state,
    each_loss,
    first_loss,
    is_numeric,
    known_mistakes,
    once_and_often,
    silent_state,
    text_batch,
    tiny_model,
)

LOSSES = "one float for each batch, of any iterable, measured before the step"
STEPS = "steps lead downhill, `lr` is used, and gradients don't pile up"
AROUND = "the model is in train mode, and the batches are left as they are"

STILL = "After two batches, your model is still what it was."


@points(1, LOSSES)
def test_each_batch_of_any_iterable_gives_one_float(student: Student) -> None:
    """A generator serves as well as a list, and one row as several; each batch has its own loss.

    The model is sure that 2 follows, and so finds texts of twos likelier than others. The last
    batch has fewer rows, as the last of an epoch often does.
    """
    state = silent_state()
    state["place"][:, 2] = 3.0
    batches = [text_batch(words) for words in ([2, 2, 2, 2], [4, 4, 4, 4], [2, 4, 2, 4])]
    batches[2] = batches[2][0][:1], batches[2][1][:1]
    losses: Any = student.train(tiny_model(student, state), stream(batches), lr=0.0)
    loops.keeps_its_losses(student, losses, batches)
    expect.that(
        not (isinstance(losses, list) and len(losses) == 6),
        "Three batches give six losses: you go through them twice. A generator hands out each "
        "once, and the caller decides how often a batch comes.",
        "train-two-passes",
    )
    expect.that(
        not (isinstance(losses, list) and len(losses) == 2),
        "Three batches give two losses. One for each batch should be in your list, whatever the "
        "losses are.",
        "train-a-batch-without-loss",
    )
    assert isinstance(losses, list) and len(losses) == 3, (
        "A generator hands out its batches one by one, and once. Return a list with one loss for "
        f"each; what came back for three is {describe(losses)}."
    )
    expect.that(
        not any(hasattr(loss, "requires_grad") for loss in losses),
        "Each loss should be a Python float: a tensor keeps the whole computation alive.",
        "train-tensors",
    )
    assert all(isinstance(loss, float) for loss in losses), "Each loss should be a Python float."
    right = [each_loss(state, batch).mean().item() for batch in batches]
    expect.that(
        not np.allclose(losses, [np.mean(right[:count]) for count in (1, 2, 3)], atol=1e-4),
        "Each of your losses is the mean of all so far. Each should be that of its own batch.",
        "train-running-mean",
    )
    assert losses[0] < losses[2] - 0.1 and losses[2] < losses[1] - 0.1, (
        "This model finds the first batch likely, the second unlikely, and the third is half of "
        "each. Your three losses don't say so. Each should be that of its own batch alone."
    )
    sure = silent_state()
    sure["place"][:4, 2] = sure["place"][4, EOS] = 40.0  # it has the first batch right
    row = batches[0][0][:1], batches[0][1][:1]
    losses = student.train(tiny_model(student, sure), [row] * 3, lr=0.0)
    expect.that(
        np.size(losses) == 3,
        "A model had three batches right from the start, and you return "
        f"{describe(losses)}. `train` goes through all of its batches, whatever their losses are.",
        "train-stops-early",
    )


@points(3, "the loss is the mean cross-entropy of the token that follows; `eos` is learned")
def test_the_loss_is_the_mean_cross_entropy_of_the_token_that_follows(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """For a model that we know, the losses are right, whatever the sizes, and eos is learned."""
    state = drawn_state(draw)
    batches = [drawn_batch(draw_tokens, *sizes) for sizes in ((3, 4, 6), (2, 5, 8), (4, 1, 5))]
    losses = [first_loss(student, tiny_model(student, state), batch) for batch in batches]
    shared = [
        {tag for tag, wrong in known_mistakes(state, batch) if abs(loss - wrong) < 1e-4}
        for loss, batch in zip(losses, batches, strict=True)
    ]
    expect.close(
        torch.tensor(losses),
        torch.stack([each_loss(state, batch).mean() for batch in batches]).float(),
        "For a model that we know, the losses are wrong. Position i reads token i of the target "
        "and should predict the one *after*, from the first word to eos; F.cross_entropy takes "
        "logits, and the loss is its mean over all of these.",
        reveals=min(set.intersection(*shared), default="train-another-loss"),
    )
    loops.learns_to_end(student)


@points(1, AROUND)
def test_the_batches_are_left_as_they_are(student: Student, state: State, batch: Pair) -> None:
    """The batches are left as they were: the caller may go through them once more."""
    model, returned = tiny_model(student, state), list[Any]()
    laws.leaves_inputs_alone(
        student,
        lambda: returned.append(student.train(model, [batch] * 2, lr=0.01)),
        reveals="train-writes-into-the-batches",
    )
    has_measured = is_numeric(returned[0]) and np.all(np.asarray(returned[0]) != 0)
    assert has_measured or loops.has_moved(state, model.state()), STILL
    loops.learns_from_its_batches(student, state, batch)


@points(1, LOSSES)
def test_the_loss_is_measured_before_the_step(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """The first loss is that of the model as it came, the last is that after the steps before it.

    Both are compared with what your own `train` says of these models first.
    """
    state = drawn_state(draw)
    first, last = (drawn_batch(draw_tokens, 4, 4, 6) for _ in range(2))
    before = loops.trains_alike(student, state, [first] * 2, lr=0.3)
    losses = loops.numbers_of(loops.trained(student, state, [first, first, last], lr=0.3).losses, 3)
    assert loops.has_moved(state, before), STILL
    third = loops.trained(student, state, [first] * 3, lr=0.3).state
    expect.that(
        loops.has_moved(before, third),
        "After three batches the model is what it was after two. Every batch is followed by a step "
        "of its own.",
        "train-batches-without-a-step",
    )
    untouched, stepped = (
        first_loss(student, tiny_model(student, each), last, lr=0.3) for each in (state, before)
    )
    expect.that(
        not abs(losses[2] - untouched) <= 1e-4 < abs(losses[2] - stepped),
        "The loss of your last batch is that of the model as it came: nothing was learned from "
        "the batches before it. Where is the step?",
        "train-no-step-between-batches",
    )
    loops.is_not_measured_late(student, state, first, losses[0])
    expect.close(
        torch.tensor([losses[0], losses[2]]),
        torch.tensor([first_loss(student, tiny_model(student, state), first, lr=0.3), stepped]),
        "A batch's loss is not that of the model before its step. It should tell how good the "
        "model was when it met the batch; and every batch is followed by one step.",
        1e-4,
    )
    loops.learns_from_its_batches(student, state, first)


@points(1, STEPS)
def test_the_parameters_move_downhill(student: Student, state: State, batch: Pair) -> None:
    """Ten small steps on a batch move every parameter, and make your own loss of it smaller."""
    after = loops.trained(student, state, [batch] * 10, lr=0.01).state
    moved = {name: not torch.equal(value, state[name]) for name, value in after.items()}
    expect.that(
        any(moved.values()),
        "After ten batches, your model is still what it was. Gradients alone change nothing. "
        "Which line makes the step, and on which parameters?",
        "train-never-moves",
    )
    expect.that(
        all(moved.values()),
        "After ten batches, some parameters of the model haven't moved. Which ones was your "
        "optimiser given?",
        "train-some-parameters",
    )
    before, now = (first_loss(student, tiny_model(student, each), batch) for each in (state, after))
    expect.that(
        now < before + 1e-6,
        "After ten small steps on the same batch, your own loss of it has become larger: the "
        "model climbs. In which direction does each step go?",
        "train-uphill",
    )
    assert now < before - 1e-6, (
        "After ten small steps on the same batch the model isn't better at it. Do you minimise "
        "the loss that you return?"
    )
    right, better = (each_loss(each, batch).mean().item() for each in (state, after))
    assert abs(before - right) > 1e-4 or better < right - 1e-6, (
        "After ten small steps on the same batch the model isn't better at it. Do you minimise "
        "the loss of the tokens that follow?"
    )
    loops.learns_from_its_batches(student, state, batch)


@points(1, STEPS)
def test_the_learning_rate_is_used(student: Student, state: State, batch: Pair) -> None:
    """With lr=0 nothing moves; unless told otherwise, lr is 1e-3."""
    still = loops.trained(student, state, [batch] * 2, lr=0.0).state
    expect.that(
        not loops.has_moved(state, still),
        "With lr=0 your model moves. Which learning rate does the optimiser get, and does anything "
        "else change the parameters?",
        "train-learning-rate-ignored",
    )
    told = loops.trains_alike(student, state, [batch] * 10, lr=1e-3, runs=3)
    model = tiny_model(student, state)
    student.train(model, [batch] * 10)
    usual = model.state()
    expect.that(
        all(loops.is_close(usual[name], value) for name, value in told.items()),
        "Unless told otherwise, lr is 1e-3.",
        "train-another-default",
    )
    loops.learns_from_its_batches(student, state, batch)


@points(1, STEPS)
def test_gradients_do_not_pile_up(student: Student, draw: Draw, draw_tokens: Draw) -> None:
    """What only the first of many batches used comes to rest, and the next call forgets it.

    An optimiser with momentum lets it roll on for a while, and a decay of the weights leads it
    back; so it is looked at again and again.
    """
    state, once, often = once_and_often(draw, draw_tokens)
    loops.trains_alike(student, state, [once, often], lr=0.02)
    rows = loops.rows_in_between(student, state, once, often)
    # both are asked for before one is judged: they tell mistakes apart
    again, fresh = loops.rows_after_another_call(student, state, once, often)
    assert (rows[1] != rows[0]).any(), "After the first batches, what they used hasn't moved."
    expect.that(
        not loops.is_pushed_on(rows),
        "A parameter that only the first batches used is still pushed on, ninety steps later, "
        "and hardly less than before. `backward` adds to the gradients that are there. When do "
        "you clear them?",
        "train-no-zero-grad",
    )
    expect.close(
        again,
        fresh,
        "A model that was trained before takes a different step from a fresh one with the same "
        "parameters: something of the last call is still there. Are gradients cleared in time, and "
        "does each call begin with an optimiser of its own?",
    )


@points(1, AROUND)
def test_the_model_trains_in_train_mode(student: Student, state: State, batch: Pair) -> None:
    """A model with dropout drops out while it learns, whichever mode it came in."""
    loops.trains_alike(student, state, [batch] * 2, lr=0.1)
    without = loops.trained(student, state, [batch] * 2, lr=0.1)
    assert is_numeric(without.losses) or loops.has_moved(state, without.state), STILL
    fresh, rested = (tiny_model(student, state, dropout=0.5) for _ in range(2))
    rested.eval()
    moved, moved_too = (
        loops.Trained(student.train(model, [batch] * 2, lr=0.1), model.state())
        for model in (fresh, rested)
    )
    expect.that(
        not moved.is_like(without),
        "A model with dropout, which came in train mode, learns exactly as one without: nothing "
        "drops out. Eval mode is for using a model, not for training it.",
        "train-eval-mode",
    )
    expect.that(
        not moved_too.is_like(without),
        "A model with dropout came in eval mode, and learns exactly as one without: nothing "
        "drops out. Someone may have used it before. Eval mode is for using a model, not for "
        "training it.",
        "train-mode-not-set",
    )
    loops.stays_in_train_mode(student, state, batch)
    loops.learns_from_its_batches(student, state, batch)


@points(3, "your model learns to write strings backwards (part 6)")
@seconds(240)
def test_your_model_learns_to_write_strings_backwards(
    student: Student, rng: np.random.Generator
) -> None:
    """Your Transformer, trained by your loop, writes 95% of 500 unseen strings backwards.

    So that nobody can know the answers beforehand, the digits of the sources are renamed by a
    secret code, the same for all strings: the model has to learn it as well. Training ends as soon
    as the model writes other unseen strings right; those that decide are shown to it only then.
    """
    share = share_learned(student, rng)
    expect.partial_credit(
        share / GOAL,
        f"After training, {share:.1%} of the unseen strings are written right, with eos at their "
        f"end; full points begin at {GOAL:.0%}. See whether TinyModel learns, and how far the "
        "notebook's own training gets. The learning rates suit Adam, and each batch is one step.",
    )
