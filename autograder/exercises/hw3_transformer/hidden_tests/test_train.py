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

from ..strings import STRINGS, reversed_targets, share_written, strings_of
from ..tiny_models import (
    ONCE,
    SHAPES,
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

# Batches and learning rate of each call. Most models have learned after the second or third. Words
# that are scaled up drown the positions at first, and need the small rates. The last three calls
# are for whoever starts slowly, such as an optimiser that warms up in each of them.
SCHEDULE = (
    *((50, 1.5e-3), (50, 1.5e-3), (100, 1.5e-3), (200, 1.5e-3), (200, 1.5e-3)),
    *((100, 7e-4), (100, 3e-4)),
    *((400, 1.5e-3), (300, 7e-4), (200, 2e-4)),
)
BATCH, UNSEEN, WATCHED = 64, 500, 300
# A model that writes LEARNED of the strings that are watched is trained no further. That is so much
# more than GOAL that it writes GOAL of those that count: to stop there costs nobody marks.
LEARNED, GOAL = 0.99, 0.95


@points(1)
def test_each_batch_of_any_iterable_gives_one_float(student: Student) -> None:
    """A generator works as well as a list, and each loss is that of its own batch.

    The model is sure that 2 follows, and so finds texts of twos likelier than others.
    """
    state = silent_state()
    state["place"][:, 2] = 3.0
    batches = [text_batch(words) for words in ([2, 2, 2, 2], [4, 4, 4, 4], [2, 4, 2, 4])]
    losses: Any = student.train(tiny_model(student, state), stream(batches), lr=0.0)
    expect.that(
        not (isinstance(losses, list) and not losses),
        "For a generator of three batches you return an empty list. It hands out each batch once.",
        "train-generator-used-up",
    )
    assert isinstance(losses, list) and len(losses) == 3, (
        "A generator hands out its batches one by one, and once. Return a list with one loss for "
        f"each; what came back for three is {describe(losses)}."
    )
    expect.that(
        not any(hasattr(loss, "requires_grad") for loss in losses),
        "Each loss should be a Python float: a tensor keeps the whole computation alive. How does "
        "a tensor of one number become a float?",
        "train-tensors",
    )
    assert all(isinstance(loss, float) for loss in losses), "Each loss should be a Python float."
    assert losses[0] < losses[2] - 0.1 and losses[2] < losses[1] - 0.1, (
        "This model finds the first batch likely, the second unlikely, and the third is half of "
        "each. Your three losses don't say so: is each of them that of its own batch alone?"
    )


@points(2)
def test_the_loss_is_the_mean_cross_entropy_of_the_token_that_follows(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """For a model that we know, the losses are right, in batches of different sizes and lengths."""
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


@points(1)
def test_the_batches_are_left_as_they_are(student: Student, state: State, batch: Pair) -> None:
    """Whoever made the batches may go through them once more."""
    model = tiny_model(student, state)
    laws.leaves_inputs_alone(
        student,
        lambda: student.train(model, [batch], lr=0.01),
        reveals="train-writes-into-the-batches",
    )
    after = model.state()
    assert any(not torch.equal(after[name], state[name]) for name in SHAPES), (
        "After a batch, your model is still what it was."
    )


@points(1)
def test_the_loss_is_measured_before_the_step(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """The first loss is that of the model as it came, the second is that after one step.

    Both are compared with what your own `train` says of these models first.
    """
    state = drawn_state(draw)
    first, second = (drawn_batch(draw_tokens, 4, 4, 6) for _ in range(2))
    pupil = tiny_model(student, state)
    losses: Any = student.train(tiny_model(student, state), [first, second], lr=0.3)
    assert is_numeric(losses) and np.size(losses) == 2, (
        "`train` should return a list of 2 losses after 2 batches. What came back is "
        f"{describe(losses)}."
    )
    untouched = first_loss(student, tiny_model(student, state), second, lr=0.3)
    student.train(pupil, [first], lr=0.3)
    step = first_loss(student, tiny_model(student, pupil.state()), second, lr=0.3)
    expect.that(
        not abs(float(np.ravel(losses)[1]) - untouched) <= 1e-4,
        "The second loss is that of the model as it came: nothing was learned from the first batch "
        "before the second. Where does the step stand?",
        "train-no-step-between-batches",
    )
    expect.close(
        torch.tensor([float(loss) for loss in np.ravel(losses)]),
        torch.tensor([first_loss(student, tiny_model(student, state), first, lr=0.3), step]),
        "A batch's loss is not that of the model before its step. It should tell how good the "
        "model was when it met the batch; and every batch is followed by one step.",
        1e-4,
    )


@points(1)
def test_the_parameters_move_downhill(student: Student, state: State, batch: Pair) -> None:
    """Ten small steps on a batch move every parameter and lower its loss, that of eos as well."""
    learner = tiny_model(student, state)
    student.train(learner, [batch] * 10, lr=0.01)
    after = learner.state()
    moved = {name: not torch.equal(value, state[name]) for name, value in after.items()}
    expect.that(
        any(moved.values()),
        "After ten batches, your model is still what it was. Gradients alone change nothing: who "
        "makes the step, and on whose parameters?",
        "train-never-moves",
    )
    expect.that(
        all(moved.values()),
        "After ten batches, some parameters of the model haven't moved. Which ones was your "
        "optimiser given?",
        "train-some-parameters",
    )
    better = each_loss(state, batch).mean() - each_loss(after, batch).mean()
    assert better > 1e-6, (
        "After ten small steps on the same batch the model isn't better at it. Is what you "
        "minimise the loss of the tokens that follow?"
    )
    silent, text = silent_state(), text_batch([3, 1, 4, 1, 6])  # after a 6 comes eos alone
    learner = tiny_model(student, silent)
    student.train(learner, [text] * 15, lr=0.03)
    before, now = (each_loss(each, text)[:, -1].mean() for each in (silent, learner.state()))
    assert now < before - 1e-5, (
        "Your model doesn't learn to end: eos is no likelier after training than before. It is to "
        "be predicted like any other token, after the last word."
    )


@points(1)
def test_the_learning_rate_is_used(student: Student, state: State, batch: Pair) -> None:
    """With lr=0 nothing moves; unless told otherwise, lr is 1e-3."""
    still, usual, told = (tiny_model(student, state) for _ in range(3))
    student.train(still, [batch] * 2, lr=0.0)
    expect.that(
        all(torch.equal(value, state[name]) for name, value in still.state().items()),
        "With lr=0 your model moves. Which learning rate does the optimiser get, and does anything "
        "else change the parameters?",
        "train-learning-rate-ignored",
    )
    student.train(usual, [batch])
    student.train(told, [batch], lr=1e-3)
    for name, value in usual.state().items():
        expect.close(
            value,
            told.state()[name],
            "Unless told otherwise, lr is 1e-3.",
            1e-6,
            reveals="train-another-default",
        )


@points(1)
def test_gradients_do_not_pile_up(student: Student, draw: Draw, draw_tokens: Draw) -> None:
    """What only the first of many batches used soon comes to rest, and the next call forgets it.

    An optimiser with momentum may let it roll on for a while, so the last 30 of 60 steps are
    compared with the first one.
    """
    state, once, often = once_and_often(draw, draw_tokens)
    rows, models = [state["last"][ONCE]], [tiny_model(student, state) for _ in range(3)]
    for model, others in zip(models, (0, 30, 60), strict=True):
        student.train(model, [once, *[often] * others], lr=0.02)
        rows.append(model.state()["last"][ONCE])
    after_next_call = []
    for model in (models[0], tiny_model(student, models[0].state())):
        student.train(model, [often], lr=0.02)
        after_next_call.append(model.state()["last"])
    again, fresh = after_next_call
    first_step, last_steps = (rows[1] - rows[0]).norm(), (rows[3] - rows[2]).norm()
    assert first_step > 0, "After the first batch, what it used hasn't moved."
    expect.that(
        bool(last_steps < first_step),
        "A parameter that only the first batch used is still pushed on, sixty steps later. "
        "`backward` adds to the gradients that are there: who clears them, and when?",
        "train-no-zero-grad",
    )
    expect.close(
        again,
        fresh,
        "A model that was trained before takes a different step from a fresh one with the same "
        "parameters: gradients of the last call are still there. When are they cleared?",
    )


@points(1)
def test_the_model_trains_in_train_mode(student: Student, state: State, batch: Pair) -> None:
    """A model with dropout drops out while it learns, whichever mode it came in."""
    plain, fresh, rested = (tiny_model(student, state, dropout=p) for p in (0.0, 0.5, 0.5))
    rested.eval()
    for model in (plain, fresh, rested):
        student.train(model, [batch] * 2, lr=0.1)
    without, moved, moved_too = (model.state()["word"] for model in (plain, fresh, rested))
    assert not torch.equal(without, state["word"]), "After two steps, the model hasn't moved."
    expect.that(
        not torch.equal(moved, without),
        "A model with dropout, which came in train mode, learns exactly as one without: nothing "
        "drops out. Eval mode is for using a model, not for training it.",
        "train-eval-mode",
    )
    expect.that(
        not torch.equal(moved_too, without),
        "A model with dropout came in eval mode, and learns exactly as one without: nothing drops "
        "out. Someone may have used it before: in which mode should it learn?",
        "train-mode-not-set",
    )


@points(4)
@seconds(240)
def test_your_model_learns_to_write_strings_backwards(
    student: Student, rng: np.random.Generator
) -> None:
    """Your Transformer, trained by your loop, writes 95% of 500 unseen strings backwards.

    So that nobody can know the answers beforehand, the digits of the sources are renamed by a
    secret code, the same for all strings: the model has to learn it as well. Training ends as soon
    as the model writes other unseen strings right; those that decide are shown to it only then.
    """
    code, shuffled = torch.from_numpy(rng.permutation(10)), rng.permutation(STRINGS)
    unseen, watched, others = np.split(shuffled, (UNSEEN, UNSEEN + WATCHED))

    def pairs(numbers: np.ndarray[Any, Any]) -> Pair:
        strings = strings_of(numbers)
        return code[strings], reversed_targets(strings)

    model = student.Transformer(12, 12)
    for count, rate in SCHEDULE:
        batches = [pairs(rng.choice(others, BATCH)) for _ in range(count)]
        student.train(model, stream(batches), lr=rate)
        if share_written(model, *pairs(watched)) >= LEARNED:
            break
    share = share_written(model, *pairs(unseen))
    expect.partial_credit(
        share / GOAL,
        f"After training, {share:.1%} of the unseen strings are written right, with eos at their "
        f"end; full points begin at {GOAL:.0%}. Does TinyModel learn, and how far does the "
        "notebook's own training get? The learning rates suit Adam, and each batch is one step.",
    )
