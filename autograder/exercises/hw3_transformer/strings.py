"""The strings of the capstone: drawn, turned around, learned, and written by a model."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from autograder.testing import ModuleProxy, Student, expect, stream

from .tiny_models import Pair

STRINGS, DIGITS = 100_000, 5
# Batches and learning rate of each call. Most models have learned after the second or third. Words
# that are scaled up drown the positions at first, and need the small rates. The last three calls
# are for slow starters, such as an optimiser that warms up in each of them.
SCHEDULE = (
    *((50, 1.5e-3), (50, 1.5e-3), (100, 1.5e-3), (200, 1.5e-3), (200, 1.5e-3)),
    *((100, 7e-4), (100, 3e-4)),
    *((400, 1.5e-3), (300, 7e-4), (200, 2e-4)),
)
BATCH, UNSEEN, WATCHED = 64, 500, 300
# A model that writes LEARNED of the strings that are watched is trained no further. That is so much
# more than GOAL that it writes GOAL of those that count: to stop there costs nobody marks.
LEARNED, GOAL = 0.99, 0.95


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


def share_written(model: ModuleProxy, src: torch.Tensor, targets: torch.Tensor) -> float:
    """Return the share of the sources whose whole target the model writes, eos included."""
    model.eval()
    right: torch.Tensor = (decoded(model, src) == targets).all(dim=1)
    return right.double().mean().item()


def share_learned(student: Student, rng: np.random.Generator) -> float:
    """Let the student's `train` teach the student's Transformer; return the share it writes.

    The digits of the sources are renamed by a secret code. Training ends as soon as the strings
    that are watched are written right; those that count are others. With the parameters of before
    training, the model must have lost what it learned: what else it kept doesn't count.
    """
    code, shuffled = torch.from_numpy(rng.permutation(10)), rng.permutation(STRINGS)
    unseen, watched, others = np.split(shuffled, (UNSEEN, UNSEEN + WATCHED))

    def pairs(numbers: np.ndarray[Any, Any]) -> Pair:
        strings = strings_of(numbers)
        return code[strings], reversed_targets(strings)

    model = student.Transformer(12, 12)
    before = model.state()
    for count, rate in SCHEDULE:
        batches = [pairs(rng.choice(others, BATCH)) for _ in range(count)]
        student.train(model, stream(batches), lr=rate)
        if share_written(model, *pairs(watched)) >= LEARNED:
            break
    learned = model.state()
    for name, value in learned.items():
        assert value.isfinite().all() or not before[name].isfinite().all(), (
            f"After training there is nan or infinity in `{name}` of your model. Do its losses "
            "stay finite, and does TinyModel learn?"
        )
    model.load(before)
    untrained = share_written(model, *pairs(watched))
    model.load(learned)
    written = share_written(model, *pairs(unseen))
    assert untrained <= max(0.5 * written, 1 - GOAL), (
        f"{untrained:.1%} of unseen strings are written right as well by your model with the "
        "parameters that it had before training. What it learns should lie in its parameters."
    )
    return written
