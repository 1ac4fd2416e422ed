"""How this model and that of `word_senses` are trained: AdamW, a warm-up, and a cosine down to 0."""

from __future__ import annotations

import time
from collections.abc import Callable

import torch
from torch import Tensor, nn

LEARNING_RATE, WARM_UP = 3e-3, 200  # the latter in steps


def fit(
    model: nn.Module,
    loss_of_a_batch: Callable[[], Tensor],
    steps: int,
    weight_decay: float,
    *,
    every: int,
    tell: Callable[[float], str],
) -> None:
    """Train `model` for `steps`, each on the loss of a batch that is drawn anew.

    Now and then, `every` so many steps, print what `tell` makes of the loss, and the seconds.
    """
    started = time.monotonic()
    optimizer = torch.optim.AdamW(model.parameters(), lr=LEARNING_RATE, weight_decay=weight_decay)
    ways = [
        torch.optim.lr_scheduler.LinearLR(optimizer, 0.01, total_iters=WARM_UP),
        torch.optim.lr_scheduler.CosineAnnealingLR(optimizer, steps - WARM_UP),
    ]
    schedule = torch.optim.lr_scheduler.SequentialLR(optimizer, ways, [WARM_UP])
    for step in range(1, steps + 1):
        loss = loss_of_a_batch()
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimizer.step()
        schedule.step()
        if step % every == 0:
            seconds = time.monotonic() - started
            print(f"{step}: {tell(loss.item())}, {seconds:.0f} s", flush=True)
    model.eval()
