"""Hidden tests of `causal_mask`: its type, the step from row to row, its edges, and every entry.

One test alone asks for booleans in a tensor of two axes. In the others 0 and 1 count as False and
True, as do numbers that hide by being added; arrays and lists count as tensors, and axes of length
1 in front are overlooked. Two tests look at the inner rows alone, whatever the size of the mask:
there, a single rule for all tokens is a mark's worth even if it is the wrong one.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from autograder.testing import Student, describe, expect, points

RULE = "one rule for all tokens; from row to row, one more entry changes"
ENTRIES = "who sees whom: the first row, the last, and every entry for any `n`"


def mask_of(student: Student, n: int) -> torch.Tensor:
    """Return what the student's mask for n tokens lets through: (n, n) bool, or the test fails."""
    allowed = allowed_by(student, n)
    shape = tuple(allowed.shape)
    expect.that(
        set(shape[:-2]) <= {1} and shape[-2:] == (n, n),
        f"For n = {n} the mask should be {(n, n)}, and yours is {shape}.",
        "mask-of-another-size" if len(shape) == 2 else "",
    )
    return allowed.reshape(n, n)


def allowed_by(student: Student, n: int) -> torch.Tensor:
    """Return what the student's mask for n tokens lets through, bool of whatever shape."""
    mask: Any = student.causal_mask(n)
    is_numeric = hasattr(mask, "shape") or (isinstance(mask, list) and _is_square(mask))
    assert is_numeric, f"A tensor of shape (n, n) should come back, not {describe(mask)}."
    values = np.asarray(mask, dtype=np.float64)
    is_lone = values.size == 1  # a lone 0 may hide or be added: a larger mask tells
    signs = np.asarray(student.causal_mask(3), dtype=np.float64) if is_lone else values
    return torch.as_tensor(values == (0 if (signs < 0).any() else 1))  # no axis makes it a scalar


def inner_rows(student: Student) -> torch.Tensor:
    """Return all rows but the first and the last of a mask for nine tokens, of whatever size."""
    allowed = allowed_by(student, 9)
    n = allowed.shape[-1] if allowed.dim() >= 2 else 0
    assert n > 3 and allowed.numel() == n * n, (
        "A mask should have a row and a column for each token. For nine tokens yours is "
        f"{tuple(allowed.shape)}."
    )
    return allowed.reshape(n, n)[1:-1]


def _is_square(rows: list[Any]) -> bool:
    return all(hasattr(row, "__len__") and len(row) == len(rows) for row in rows)


def every_entry(n: int) -> torch.Tensor:
    """Return the mask by comparing each pair of places."""
    return torch.arange(n).unsqueeze(0) <= torch.arange(n).unsqueeze(1)


@points(1, "a boolean tensor of two axes")
def test_a_boolean_tensor_of_two_axes_comes_back(student: Student) -> None:
    """The mask is (n, n), also for a single token, and holds True and False."""
    for n in (4, 1):
        mask: Any = student.causal_mask(n)
        shape = tuple(getattr(mask, "shape", ()))
        expect.that(
            not (len(shape) > 2 and shape[-2:] == (n, n)),
            f"The mask should be {(n, n)}, yours is {shape}: it serves all sequences and heads.",
            "mask-extra-axis",
        )
        expect.that(
            shape != (n,),
            f"The mask should be {(n, n)}, yours is {shape}: a row for each token that looks.",
            "mask-one-axis",
        )
        expect.array(mask, (n, n), "tensor")
        values = mask.to(torch.float64)
        expect.that(
            not bool((values < -1).any()),
            "Your mask holds large negative numbers, made to be added to scores. The exercise "
            "asks for True and False.",
            "mask-to-be-added",
        )
        expect.that(
            mask.dtype == torch.bool,
            "The mask should be boolean: True and False, not numbers that stand for them.",
            "mask-whole-numbers" if not mask.is_floating_point() else "mask-numbers",
        )
    assert student.causal_mask(4).any(), "In your mask for four tokens, no token sees anything."


@points(1, RULE)
def test_a_rule_that_is_the_same_for_all_tokens_hides_some_of_them(student: Student) -> None:
    """What a token sees depends only on distance; first and last row apart."""
    mask = inner_rows(student)
    assert mask.any() and not mask.all(), (
        "From the second token to the last but one, your mask for nine tokens gives the same "
        "answer for every token, whatever it looks at. It should depend on which token looks, "
        "and at which."
    )
    n = mask.shape[1]
    assert (mask & ~torch.eye(n, dtype=torch.bool)[1:-1]).any(), (
        "In your mask for nine tokens, none from the second to the last but one may look at any "
        "other. A token has to see what was written before it."
    )
    assert torch.equal(mask[:-1, :-1], mask[1:, 1:]), (
        "In your mask a token may look at another, while elsewhere a token may not look at one "
        "equally far away, on the same side. That shouldn't depend on where in the text the two "
        "of them are."
    )


@points(1, RULE)
def test_from_row_to_row_one_entry_changes(student: Student) -> None:
    """From row to row one more token is seen, or one less, all the way; first and last row apart.

    Which of the two is right is the business of another test.
    """
    mask = inner_rows(student)
    lost, gained = mask[:-1] & ~mask[1:], ~mask[:-1] & mask[1:]
    changes = ((lost, gained), (gained, lost))
    looks_back = not mask[:, 1:].triu(1).any() and mask[:, 1:].diagonal().all()
    expect.that(
        not (looks_back and bool((lost.sum(dim=1) == gained.sum(dim=1))[-1])),
        "From one token to the next, exactly one entry of the mask changes. In yours that ends: "
        "some token sees no more of them than the one before it.",
        "mask-band",
    )
    steady = [not one.any() and bool((other.sum(dim=1) == 1).all()) for one, other in changes]
    assert any(steady), (
        "From one token to the next, exactly one entry of the mask changes, and always in the same "
        "way. In yours that isn't so: by how many do two neighbouring rows differ?"
    )


@points(1, ENTRIES)
def test_the_first_token_sees_itself_alone_and_the_last_sees_all(student: Student) -> None:
    """The first row has a single True, at its beginning; the last row is True throughout."""
    mask = mask_of(student, 6)
    assert mask[0].tolist() == [True] + 5 * [False], (
        "The first token (row 0) may look at itself and at nothing else. In your mask its row says "
        "something else: True means *may attend*, and a row belongs to the token that looks."
    )
    assert mask[-1].all(), (
        "The last token may look at all tokens, itself included, so nothing in the last row should "
        "be False."
    )


@points(1, ENTRIES)
def test_every_entry_is_right_for_any_number_of_tokens(student: Student) -> None:
    """For few tokens and for many, in any order, each sees itself and those before it."""
    for n in (5, 2, 520, 1, 9, 5):
        assert torch.equal(mask_of(student, n), every_entry(n)), (
            f"For {n} token{'s' * (n > 1)}, some entry is wrong. Token i sees the tokens up to "
            "and including itself: what is on the diagonal, and what on either side of it?"
        )
