"""Texts so long that whatever grows with n² doesn't fit: not into memory, or not into the time.

LONG² bytes are 4 GiB, beyond the 2 GiB that a student's process may take, be they but a mask of
single bytes. What grows with n alone takes a few megabytes. Lengths are powers of two, so that
whole numbers stay exact in float32 when they are divided by n.

LONGER² scores, a block at a time, take minutes even at 5 ns each, about the fastest that one core
was seen to be; a loop over tokens, at 100 µs each, takes 26 s of the `PATIENCE`.
"""

from __future__ import annotations

import numpy as np
import torch

from autograder.testing import Student, expect

LONG = 2**16  # tokens, for memory
LONGER = 2**18  # tokens, for time
PATIENCE = 150  # seconds for LONGER tokens
SHORT = 24  # tokens of a piece of a long text
PIECES = 5  # that are cut out of it

SEEN = 1e-10  # a share as small as this is none


def leading_scores(rng: np.random.Generator, n: int, best: int) -> tuple[torch.Tensor, ...]:
    """Return twice n scores in the same order, `best` the largest, at other distances."""
    scores = torch.linspace(0.2, 1.1, n) + torch.from_numpy(rng.uniform(0, 0.05, n)).float()
    scores = scores[torch.from_numpy(rng.permutation(n))]
    at = int(scores.argmax())
    scores[[at, best]] = scores[[best, at]]
    return scores, scores**3


def expect_soft(once: torch.Tensor, other: torch.Tensor) -> None:
    """Require shares of one token that go by how far a score leads; right they need not be.

    Whoever gives all to the best key, the same to each, or goes by places alone hasn't computed
    what the test asks about.
    """
    shares = torch.stack([once, other]).nan_to_num().sort(dim=-1).values
    assert ((shares.abs() > SEEN).sum(-1) > 1).all() and (
        shares[0] - shares[1]
    ).abs().max() > 1e-4, (
        "In two questions the scores have the same order, but lie further apart in one. A token's "
        "shares are the same both times, or a single key gets everything. How do your shares "
        "depend on the scores?"
    )


def memory_grew(hint: str) -> str:
    """Say to the student why memory ran out on a long text."""
    return (
        f"With {LONG:,} tokens your code ran out of memory. A single tensor with n² entries would "
        f"have {LONG**2:,} of them, too many even if each were one byte. {hint}"
    )


def is_made_of_pieces(
    student: Student, rng: np.random.Generator, Q: torch.Tensor, K: torch.Tensor, V: torch.Tensor
) -> None:
    """Require that a long drawn text gives in its pieces what a piece alone gives.

    That holds for every function of a token's neighbourhood: a wrong scale costs nothing here, nor
    does a window that is off by one. That it is such a function is tried on a short text. No two
    places of the long one are alike, so nothing shorter tells what comes back.
    """
    length, d = Q.shape[1:]
    piece = [part[:, :SHORT].contiguous() for part in (Q, K, V)]
    short = student.sliding_window_attention(*piece, 2)
    expect.array(short, (1, SHORT, d), "tensor")
    keys, values = piece[1].clone(), piece[2].clone()
    keys[:, 12] += 1
    values[:, 12] += 1
    again = student.sliding_window_attention(piece[0], keys, values, 2)
    expect.array(again, (1, SHORT, d), "tensor")
    reached = set(((again - short).abs().amax(-1) > 1e-6)[0].nonzero().flatten().tolist())
    assert reached - {12} and reached <= set(range(7, 18)), (
        "On a short text with window = 2, a change of one token should reach some neighbours and "
        "none far away. It doesn't in yours, so the long text wasn't tried."
    )
    result = student.sliding_window_attention(Q, K, V, 2)
    expect.array(result, (1, length, d), "tensor")
    for start in rng.integers(length - SHORT, size=PIECES):
        where = slice(start, start + SHORT)
        alone = student.sliding_window_attention(
            *(part[:, where].contiguous() for part in (Q, K, V)), 2
        )
        expect.array(alone, (1, SHORT, d), "tensor")
        expect.close(
            result[:, where][:, 8:-8],
            alone[:, 8:-8],
            "A piece was cut out of a long text, and the tokens in its middle get something else "
            "than in the whole text, though each has the same neighbours in both. Look for what "
            "your code does differently when a text is long.",
        )
