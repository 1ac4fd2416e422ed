"""Hidden tests of `causal_mask`: its growth from row to row, its edges, and every entry."""

from __future__ import annotations

from typing import Any

import torch

from autograder.testing import Student, expect, points


def mask_of(student: Student, n: int) -> Any:
    """Return the student's mask for n tokens: a boolean tensor, or the test fails."""
    mask = student.causal_mask(n)
    expect.array(mask, (n, n), "tensor")
    assert mask.dtype == torch.bool, (
        "The mask should be boolean: True and False, not numbers that stand for them."
    )
    return mask


@points(1)
def test_each_token_sees_one_more_than_the_one_before_it(student: Student) -> None:
    """From row to row one more token is seen, and none is lost."""
    mask = mask_of(student, 7)
    lost, gained = mask[:-1] & ~mask[1:], ~mask[:-1] & mask[1:]
    assert not lost.any() and (gained.sum(dim=1) == 1).all(), (
        "Going from one token to the next, exactly one more may be seen. In your mask that isn't "
        "so: with every step to the right, does a token see more or fewer?"
    )


@points(1)
def test_the_first_token_sees_itself_alone_and_the_last_sees_all(student: Student) -> None:
    """The first row has a single True, at its beginning; the last row has nothing else."""
    mask = mask_of(student, 6)
    assert mask[0].tolist() == [True] + 5 * [False], (
        "The first token (row 0) may look at itself and at nothing else. In your mask its row says "
        "something else: True means *may attend*, and a row belongs to the token that looks."
    )
    assert mask[-1].all(), (
        "The last token may look at all tokens, itself included, so nothing in the last row is "
        "False."
    )


@points(1)
def test_every_entry_is_right_for_any_number_of_tokens(student: Student) -> None:
    """For 1, 2, 5 and 9 tokens, each sees itself and those before it."""
    for n in (1, 2, 5, 9):
        mask, wanted = mask_of(student, n), [[j <= i for j in range(n)] for i in range(n)]
        assert mask.tolist() == wanted, (
            f"For {n} token{'s' * (n > 1)}, some entry is wrong. Token i sees the tokens up to and "
            "including itself: what stands on the diagonal, and what on either side of it?"
        )
