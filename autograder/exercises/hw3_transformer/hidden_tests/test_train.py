"""Hidden tests of `train`: laws that hold for any optimiser, then the capstone.

The laws are tried on the `TinyModel` that the notebook gives. Its loss is computed here a second
time, from its parameters and by the formula in its docstring, in double precision.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from autograder.testing import ModuleProxy, Student, describe, expect, points, seconds, stream

Draw = Callable[..., torch.Tensor]
State = Mapping[str, torch.Tensor]
Pair = tuple[torch.Tensor, torch.Tensor]

VOCAB, BOS, EOS, MAX_LEN = 9, 7, 8, 8  # the tokens 0 to 6 are words
STRINGS, DIGITS, UNSEEN = 100_000, 5, 500
SCHEDULE = ((900, 1.5e-3), (500, 7e-4), (300, 2e-4))  # batches and learning rate of each call
BATCH, GOAL = 64, 0.95


def drawn_batch(draw_tokens: Draw, batch: int, s: int, t: int) -> Pair:
    """Draw (src, tgt): sources of s words, and targets of t tokens from bos to eos."""
    words = draw_tokens(batch, t - 2, vocab_size=BOS)
    begin, end = torch.full((batch, 1), BOS), torch.full((batch, 1), EOS)
    return draw_tokens(batch, s, vocab_size=BOS), torch.cat([begin, words, end], dim=1)


def drawn_state(draw: Draw) -> State:
    """Draw parameters of a TinyModel, so that nothing depends on how it was made."""
    shapes = {
        "look": (MAX_LEN, MAX_LEN),
        "word": (VOCAB, VOCAB),
        "last": (VOCAB, VOCAB),
        "place": (MAX_LEN, VOCAB),
    }
    return {name: draw(*shape) for name, shape in shapes.items()}


def tiny_model(student: Student, state: State, dropout: float = 0.0) -> ModuleProxy:
    """Make a TinyModel with the parameters `state`, fresh and so in train mode."""
    model: ModuleProxy = student.TinyModel(VOCAB, MAX_LEN, dropout)
    model.load(state)
    return model


def losses_of(state: State, batch: Pair) -> torch.Tensor:
    """Return the loss of each predicted token, (batch, t - 1), of a TinyModel without dropout."""
    src, tgt = batch
    look, word, last, place = (state[name].double() for name in ("look", "word", "last", "place"))
    read, following = tgt[:, :-1], tgt[:, 1:]
    found = look[: read.shape[1], : src.shape[1]] @ word[src]
    logits = found + last[read] + place[: read.shape[1]]
    return -torch.log_softmax(logits, dim=-1).gather(-1, following.unsqueeze(-1)).squeeze(-1)


def trained(
    student: Student, model: ModuleProxy, batches: Sequence[Pair], **rate: float
) -> list[float]:
    """Let the student train the model; return the losses, of which there is one a batch.

    Numbers of any kind will do here.
    """
    returned: Any = student.train(model, batches, **rate)
    values = list(np.ravel(returned)) if hasattr(returned, "shape") else returned
    assert isinstance(values, (list, tuple)) and len(values) == len(batches), (
        f"`train` should return a list of {len(batches)} losses after {len(batches)} batches, one "
        f"each. What came back is {describe(returned)}."
    )
    return [float(value) for value in values]


@points(1)
def test_each_batch_of_any_iterable_gives_one_float(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """A generator works as well as a list, a single batch as well as several."""
    state = drawn_state(draw)
    batches = [drawn_batch(draw_tokens, *sizes) for sizes in ((3, 4, 6), (2, 3, 4), (5, 4, 6))]
    at_once = student.train(tiny_model(student, state), stream(batches), lr=0.0)
    one_by_one = [
        student.train(tiny_model(student, state), stream([batch]), lr=0.0) for batch in batches
    ]
    for losses, count in ((at_once, 3), *((each, 1) for each in one_by_one)):
        assert isinstance(losses, list) and len(losses) == count, (
            "A generator gives out its batches one by one, and once. Return a list with one loss "
            f"for each; what came back is {describe(losses)}."
        )
        assert all(type(loss) is float for loss in losses), (
            "Each loss should be a Python float: a tensor keeps the whole computation alive. How "
            "does a tensor of one number become a float?"
        )
    assert len({round(loss, 6) for loss in at_once}) == 3, "Different batches get the same loss."
    expect.close(
        np.array(at_once),
        np.ravel(one_by_one),
        "With lr=0, three batches in one call get other losses than in three calls. Does each "
        "entry of the list speak of its own batch alone?",
    )


@points(1)
def test_eos_is_learned(student: Student, draw: Draw, draw_tokens: Draw) -> None:
    """After some steps, the model finds eos more likely where the text ends."""
    state, batch = drawn_state(draw), drawn_batch(draw_tokens, 5, 4, 7)
    model = tiny_model(student, state)
    trained(student, model, [batch] * 15, lr=0.03)
    before, after = (losses_of(each, batch)[:, -1].mean() for each in (state, model.state()))
    assert after < before - 1e-5, (
        "Your model doesn't learn to end: eos is no likelier after training than before. It is to "
        "be predicted like any other token, after the last word."
    )


@points(2)
def test_the_loss_is_the_mean_cross_entropy_of_the_token_that_follows(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """For a model that we know, the losses are right, in batches of different sizes and lengths.

    The learning rate is 0, so that the model stays what it is.
    """
    state = drawn_state(draw)
    batches = [drawn_batch(draw_tokens, *sizes) for sizes in ((3, 4, 6), (2, 5, 8), (1, 3, 5))]
    losses = trained(student, tiny_model(student, state), batches, lr=0.0)
    assert not student.inputs_changed, "You change the batches. Make new tensors instead."
    expect.close(
        torch.tensor(losses),
        torch.stack([losses_of(state, batch).mean() for batch in batches]).float(),
        "For a model that we know, the losses are wrong. Position i reads token i of the target "
        "and should predict the one *after*, from the first word to eos; F.cross_entropy takes "
        "logits, and the loss is its mean over all of these.",
    )


@points(1)
def test_the_loss_is_measured_before_the_step(
    student: Student, draw: Draw, draw_tokens: Draw
) -> None:
    """The first loss is that of the model as it came, the second that after one step.

    Both are compared with what your own `train` says at lr=0.
    """
    state = drawn_state(draw)
    first, second = (drawn_batch(draw_tokens, 4, 4, 6) for _ in range(2))
    learner, pupil = tiny_model(student, state), tiny_model(student, state)
    losses = trained(student, learner, [first, second], lr=0.3)
    trained(student, pupil, [first], lr=0.3)
    expect.close(
        torch.tensor(losses),
        torch.tensor(
            trained(student, tiny_model(student, state), [first], lr=0.0)
            + trained(student, tiny_model(student, pupil.state()), [second], lr=0.0)
        ),
        "A batch's loss is not that of the model before its step. It should tell how good the "
        "model was when it met the batch; and every batch is followed by one step.",
        1e-4,
    )
    assert (
        abs(losses[1] - trained(student, tiny_model(student, state), [second], lr=0.0)[0]) > 1e-4
    ), "The second loss is that of the model as it came: nothing was learned from the first batch."


@points(1)
def test_the_parameters_move_downhill(student: Student, draw: Draw, draw_tokens: Draw) -> None:
    """Ten steps on a batch move every parameter and lower its loss; with lr=0 nothing moves."""
    state, batch = drawn_state(draw), drawn_batch(draw_tokens, 6, 5, 7)
    still, usual, told, learner = (tiny_model(student, state) for _ in range(4))
    trained(student, still, [batch], lr=0.0)
    for name, value in still.state().items():
        assert torch.equal(value, state[name]), (
            f"With lr=0 the parameter `{name}` moves. Does the optimiser get the learning rate?"
        )
    trained(student, learner, [batch] * 10, lr=0.01)
    after = learner.state()
    for name, value in after.items():
        assert not torch.equal(value, state[name]), (
            f"The parameter `{name}` hasn't moved in ten steps. Gradients alone change nothing: "
            "who makes the step, and on which parameters?"
        )
    assert losses_of(after, batch).mean() < losses_of(state, batch).mean() - 1e-6, (
        "After ten small steps on the same batch the model isn't better at it. Is what you "
        "minimise the loss of the tokens that follow?"
    )
    trained(student, usual, [batch])
    trained(student, told, [batch], lr=1e-3)
    for name, value in usual.state().items():
        expect.close(value, told.state()[name], "Unless told otherwise, lr is 1e-3.", 1e-6)


@points(1)
def test_gradients_do_not_pile_up(student: Student, draw: Draw, draw_tokens: Draw) -> None:
    """What only the first of many batches used soon comes to rest, and the next call forgets it.

    An optimiser with momentum may let it roll on for a while, so the last 30 of 60 steps are
    compared with the first one.
    """
    state = dict(drawn_state(draw))
    state["last"] = torch.zeros(VOCAB, VOCAB)  # a decay of the weights doesn't move what is zero
    src, once = drawn_batch(draw_tokens, 4, 4, 6)
    once[:, 1:-1], often = 3, once.clone()
    often[:, 1:-1] = 5
    rows, models = [state["last"][3]], [tiny_model(student, state) for _ in range(3)]
    for model, others in zip(models, (0, 30, 60), strict=True):
        trained(student, model, [(src, once), *[(src, often)] * others], lr=0.02)
        rows.append(model.state()["last"][3])
    after_next_call = []
    for model in (models[0], tiny_model(student, models[0].state())):
        trained(student, model, [(src, often)], lr=0.02)
        after_next_call.append(model.state()["last"])
    again, fresh = after_next_call
    first_step, last_steps = (rows[1] - rows[0]).norm(), (rows[3] - rows[2]).norm()
    assert first_step > 0, "After the first batch, what it used hasn't moved."
    assert last_steps < first_step, (
        "A parameter that only the first batch used is still pushed on, sixty steps later. "
        "`backward` adds to the gradients that are there: who clears them, and when?"
    )
    expect.close(
        again,
        fresh,
        "A model that was trained before takes another step than a fresh one with the same "
        "parameters: gradients of the last call are still there. When are they cleared?",
    )


@points(1)
def test_the_model_trains_in_train_mode(student: Student, draw: Draw, draw_tokens: Draw) -> None:
    """A model with dropout drops out while it learns: two runs from the same start differ."""
    state, batch = drawn_state(draw), drawn_batch(draw_tokens, 6, 5, 7)
    moved = []
    for _ in range(2):
        model = tiny_model(student, state, dropout=0.5)
        trained(student, model, [batch] * 2, lr=0.1)
        moved.append(model.state()["word"])
    assert not torch.equal(moved[0], state["word"]), "After two steps, the model hasn't moved."
    assert not torch.equal(moved[0], moved[1]), (
        "A model with dropout, fresh and in train mode, learns exactly the same twice: nothing "
        "drops out. Eval mode is for using a model, not for training it."
    )


def strings_of(numbers: np.ndarray[Any, Any]) -> torch.Tensor:
    """Write whole numbers as strings of five digits."""
    powers = 10 ** np.arange(DIGITS - 1, -1, -1)
    return torch.from_numpy(numbers[:, None] // powers % 10)


def reversed_targets(strings: torch.Tensor) -> torch.Tensor:
    """Return (batch, 7): 10 for bos, the digits from the end, 11 for eos."""
    begin, end = torch.full((len(strings), 1), 10), torch.full((len(strings), 1), 11)
    return torch.cat([begin, strings.flip(1), end], dim=1)


def decoded(model: ModuleProxy, src: torch.Tensor) -> torch.Tensor:
    """Write a target for each source, always the likeliest token, as long as the right ones."""
    tokens = torch.full((len(src), 1), 10)
    for _ in range(DIGITS + 1):
        logits: Any = model(src, tokens)
        expect.array(logits, (*tokens.shape, 12), "tensor", "Look at your Transformer first.")
        tokens = torch.cat([tokens, logits[:, -1:].argmax(dim=-1)], dim=1)
    return tokens


@points(4)
@seconds(240)
def test_your_model_learns_to_write_strings_backwards(
    student: Student, rng: np.random.Generator
) -> None:
    """Your Transformer, trained by your loop, writes 95% of 500 unseen strings backwards.

    So that nobody can know the answers beforehand, the digits of the sources are renamed by a
    secret code, the same for all strings: the model has to learn it as well.
    """
    code, shuffled = torch.from_numpy(rng.permutation(10)), rng.permutation(STRINGS)
    unseen, others = strings_of(shuffled[:UNSEEN]), shuffled[UNSEEN:]

    def batches(count: int) -> Iterator[Pair]:
        for _ in range(count):
            strings = strings_of(rng.choice(others, BATCH))
            yield code[strings], reversed_targets(strings)

    model = student.Transformer(12, 12)
    for count, rate in SCHEDULE:
        student.train(model, stream(list(batches(count))), lr=rate)
    model.eval()
    right = (decoded(model, code[unseen]) == reversed_targets(unseen)).all(dim=1)
    share = right.double().mean().item()
    expect.partial_credit(
        share / GOAL,
        f"After training, {share:.1%} of the unseen strings are written right, with eos at their "
        f"end; full points begin at {GOAL:.0%}. Does TinyModel learn, and how far does the "
        "notebook's own training get? The learning rates suit Adam, and each batch is one step.",
    )
