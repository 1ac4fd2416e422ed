"""Texts so long that whatever grows with n² doesn't fit: not into memory, or not into the time.

LONG² bytes are 4 GiB, beyond the 2 GiB that a student's process may take, be they but a mask of
single bytes. What grows with n alone takes a few megabytes. Lengths are powers of two, so that
whole numbers stay exact in float32 when they are divided by n.

LONGER² scores, a block at a time, take minutes even at 5 ns each, about the fastest that one core
was seen to be; a loop over tokens, at 100 µs each, takes 26 s of the `PATIENCE`.
"""

from __future__ import annotations

import torch

from autograder.testing import Student, expect

LONG = 2**16  # tokens, for memory
LONGER = 2**18  # tokens, for time
PATIENCE = 150  # seconds for LONGER tokens
PERIOD = 8  # tokens after which a long text begins again


def memory_grew(hint: str) -> str:
    """Say to the student why memory ran out on a long text."""
    return (
        f"With {LONG:,} tokens your code ran out of memory. A single tensor with n² entries would "
        f"have {LONG**2:,} of them, too many even if each were one byte. {hint}"
    )


def begins_again_and_again(student: Student, period: torch.Tensor, length: int) -> None:
    """Require that a long text of repeated tokens gives what a short one gives, repeated.

    That holds for every function of a token's neighbourhood: a wrong scale costs nothing here, nor
    does a window that is off by one. That it is such a function is tried on the short text.
    """
    Q, K, V = period.repeat(1, 1, 3, 1)
    shape = tuple(Q.shape)
    short = student.sliding_window_attention(Q, K, V, 2)
    expect.array(short, shape, "tensor")
    keys, values = K.clone(), V.clone()
    keys[:, 12] += 1
    values[:, 12] += 1
    again = student.sliding_window_attention(Q, keys, values, 2)
    expect.array(again, shape, "tensor")
    reached = set(((again - short).abs().amax(-1) > 1e-6)[0].nonzero().flatten().tolist())
    assert reached - {12} and reached <= set(range(7, 18)), (
        "On a short text with window = 2, a change of one token should reach some neighbours and "
        "none far away. It doesn't in yours, so the long text wasn't tried."
    )
    times = length // PERIOD
    result = student.sliding_window_attention(*period.repeat(1, 1, times, 1), 2)
    expect.array(result, (1, length, shape[-1]), "tensor")
    expect.close(
        result[:, PERIOD:-PERIOD],
        short[:, PERIOD:-PERIOD].repeat(1, times - 2, 1),
        "A text that begins again every eight tokens should give the same again every eight, "
        "away from its ends, however long it is. Yours doesn't.",
    )
