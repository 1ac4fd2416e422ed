"""The notebook's TinyModel: made with known parameters, and its loss by its formula."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import torch

from autograder.testing import ModuleProxy, Student, describe

Draw = Callable[..., torch.Tensor]
State = Mapping[str, torch.Tensor]
Pair = tuple[torch.Tensor, torch.Tensor]
Losses = torch.Tensor

VOCAB, BOS, EOS, MAX_LEN = 9, 7, 8, 8  # the tokens 0 to 6 are words
ONCE, OFTEN = 3, 5  # words
SHAPES = {
    "look": (MAX_LEN, MAX_LEN),
    "word": (VOCAB, VOCAB),
    "last": (VOCAB, VOCAB),
    "place": (MAX_LEN, VOCAB),
}
WHOLE, READ, WANTED = slice(None), slice(None, -1), slice(1, None)  # places of a target


def text_batch(words: Sequence[int]) -> Pair:
    """Return (src, tgt) of two equal rows, whose targets hold `words` between bos and eos."""
    tgt = torch.tensor([[BOS, *words, EOS]] * 2)
    return torch.zeros(2, 3, dtype=torch.int64), tgt


def drawn_batch(draw_tokens: Draw, batch: int, s: int, t: int) -> Pair:
    """Draw (src, tgt): sources of s words, and targets of t tokens from bos to eos."""
    words = draw_tokens(batch, t - 2, vocab_size=BOS)
    begin, end = torch.full((batch, 1), BOS), torch.full((batch, 1), EOS)
    return draw_tokens(batch, s, vocab_size=BOS), torch.cat([begin, words, end], dim=1)


def drawn_state(draw: Draw) -> dict[str, torch.Tensor]:
    """Draw parameters of a TinyModel, so that nothing depends on how it was made."""
    return {name: draw(*shape) for name, shape in SHAPES.items()}


def once_and_often(draw: Draw, draw_tokens: Draw) -> tuple[State, Pair, Pair]:
    """Draw parameters, and batches whose targets repeat ONCE, or OFTEN; they share no word there.

    In `last` all is 0, since a decay of the weights doesn't move what is zero.
    """
    state = drawn_state(draw) | {"last": torch.zeros(VOCAB, VOCAB)}
    src, tgt = drawn_batch(draw_tokens, 4, 4, 6)
    once, often = tgt.clone(), tgt.clone()
    once[:, 1:-1], often[:, 1:-1] = ONCE, OFTEN
    return state, (src, once), (src, often)


def silent_state() -> dict[str, torch.Tensor]:
    """Return parameters of a TinyModel that finds all tokens equally likely: all are 0."""
    return {name: torch.zeros(*shape) for name, shape in SHAPES.items()}


def tiny_model(student: Student, state: State, dropout: float = 0.0) -> ModuleProxy:
    """Make a TinyModel with the parameters `state`, fresh and so in train mode."""
    model: ModuleProxy = student.TinyModel(VOCAB, MAX_LEN, dropout)
    model.load(state)
    return model


def logits_of(state: State, src: torch.Tensor, read: torch.Tensor) -> torch.Tensor:
    """Return the logits of a TinyModel without dropout, by its formula."""
    look, word, last, place = (state[name].double() for name in ("look", "word", "last", "place"))
    return look[: read.shape[1], : src.shape[1]] @ word[src] + last[read] + place[: read.shape[1]]


def each_loss(state: State, batch: Pair, read: slice = READ, wanted: slice = WANTED) -> Losses:
    """Return the loss of each position, (batch, positions), of a TinyModel without dropout.

    It reads the target's places `read` and is asked for those in `wanted`.
    """
    src, tgt = batch
    return _cross_entropy(logits_of(state, src, tgt[:, read]), tgt[:, wanted])


def _cross_entropy(logits: torch.Tensor, wanted: torch.Tensor) -> Losses:
    return -_picked(torch.log_softmax(logits, dim=-1), wanted)


def _picked(scores: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    return scores.gather(-1, wanted.unsqueeze(-1)).squeeze(-1)


def known_mistakes(state: State, batch: Pair) -> Iterator[tuple[str, float]]:
    """Yield what the loss would be by each of these mistakes, whatever the optimiser."""
    each = each_loss(state, batch)
    mean = each.mean().item()
    yield "train-sum-of-losses", mean * each.numel()
    yield "train-loss-times-the-batch", mean * len(each)
    yield "train-loss-times-the-length", mean * each.shape[1]
    yield "train-divided-by-the-batch", mean / len(each)
    yield "train-divided-by-the-length", mean / each.shape[1]
    yield "train-divided-by-the-tokens", mean / each.numel()
    yield "train-first-token-only", each[:, 0].mean().item()
    yield "train-last-token-only", each[:, -1].mean().item()
    yield "train-first-token-left-out", each[:, 1:].mean().item()
    for tag, read, wanted in (
        ("train-targets-not-shifted", READ, READ),
        ("train-targets-whole", WHOLE, WHOLE),
        ("train-reads-the-answers", WANTED, WANTED),
        ("train-targets-shifted-back", WANTED, READ),
        ("train-targets-shifted-twice", slice(None, -2), slice(2, None)),
        ("train-eos-left-out", slice(None, -2), slice(1, -1)),
    ):
        yield tag, each_loss(state, batch, read, wanted).mean().item()
    for tag, losses in _other_losses(state, batch):
        yield tag, losses.mean().item()


def _other_losses(state: State, batch: Pair) -> Iterator[tuple[str, Losses]]:
    """Yield the losses, whose mean is taken, of those who measure or read something else."""
    src, tgt = batch
    read, wanted = tgt[:, READ], tgt[:, WANTED]
    logits = logits_of(state, src, read)
    log_p, p = torch.log_softmax(logits, dim=-1), torch.softmax(logits, dim=-1)
    each = -_picked(log_p, wanted)
    yield "train-logits-as-log-probabilities", -_picked(logits, wanted)
    yield "train-softmax-over-positions", -_picked(torch.log_softmax(logits, dim=1), wanted)
    yield "train-probabilities-without-logarithm", -_picked(p, wanted)
    yield "train-softmax-before-the-loss", _cross_entropy(p, wanted)
    yield "train-ignores-a-token", each[wanted != 0]
    yield "train-label-smoothing", 0.9 * each - 0.1 * log_p.mean(dim=-1)
    yield "train-squared-error", (p - torch.eye(VOCAB)[wanted]) ** 2
    turned = logits.transpose(1, 2)
    by_token = logits.reshape(VOCAB, -1).t()
    read_on = logits.reshape(turned.shape).transpose(1, 2)
    for scrambled in (turned, by_token):
        yield "train-axes-scrambled", _cross_entropy(scrambled.reshape(logits.shape), wanted)
    yield "train-axes-read-on", _cross_entropy(read_on, wanted)
    for found, asked in (
        (logits.transpose(0, 1).reshape(logits.shape), wanted),
        (logits, wanted.t().reshape(wanted.shape)),
    ):
        yield "train-logits-and-targets-in-two-orders", _cross_entropy(found, asked)
    alone = read[:, :1].expand_as(read)
    yield "train-reads-bos-alone", _cross_entropy(logits_of(state, src, alone), wanted)
    own = read.clone()
    for place in range(1, read.shape[1]):
        own[:, place] = logits_of(state, src, own)[:, place - 1].argmax(dim=-1)
    yield "train-no-teacher-forcing", _cross_entropy(logits_of(state, src, own), wanted)


def first_loss(student: Student, model: ModuleProxy, batch: Pair, lr: float = 0.0) -> float:
    """Return the loss that the student's `train` returns for a batch; a bare number will do."""
    returned: Any = student.train(model, [batch], lr=lr)
    numbers = np.ravel(returned) if is_numeric(returned) else np.array([])
    assert numbers.size, f"`train` should return its losses. What came back: {describe(returned)}."
    return float(numbers[0])


def is_numeric(value: Any) -> bool:
    """Tell whether a value is numbers: a number, an array, or a list of them."""
    if isinstance(value, (list, tuple)):
        return all(map(is_numeric, value))
    return isinstance(value, (int, float)) or hasattr(value, "shape")
