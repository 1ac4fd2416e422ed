"""Hidden tests of `positional_encoding`: laws of the table, then the formula entry by entry."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch

from autograder.testing import Student, expect, laws, points

PAIRS = "a sine in each even column, beside it the cosine of the same angle; positions from 0"
ANGLES = "the angles slow down from pair to pair as in the formula"
ODD = "`d_model` may be odd"
NUMBERS = "a `float32` tensor of shape `(seq_len, d_model)` that tells positions apart"
LENGTHS = "a position has the same row in tables of any length"

Table = Callable[[int, int], torch.Tensor]


def tells_apart(table: torch.Tensor) -> bool:
    """Tell whether the numbers are finite, and nine in ten rows of the table differ."""
    different = set(map(tuple, table.tolist()))
    return bool(table.isfinite().all()) and len(different) >= 0.9 * len(table)


def turns(column: torch.Tensor) -> bool:
    """Tell whether a column is a wave, however fast it turns and wherever it begins.

    Of a wave that turns by ω, f(t + 1) + f(t - 1) is 2 cos(ω) f(t). A straight line isn't one.
    """
    column = column.float()  # another test asks for the dtype
    around, here = column[2:] + column[:-2], column[1:-1]
    double = (around * here).sum() / here.square().sum()
    line = torch.lerp(column[0], column[-1], torch.linspace(0, 1, len(column)))
    is_straight = torch.allclose(column, line, atol=0.02)
    fits = bool(((around - double * here).abs() < 5e-3).all())
    return fits and not is_straight and bool((column.abs() < 1.5).all())


@points(1, PAIRS)
def test_the_first_two_columns_are_sine_and_cosine_of_the_position(student: Student) -> None:
    """Positions count from 0; column 0 is the sine of the position itself, column 1 its cosine."""
    table = student.positional_encoding(9, 6)
    expect.array(table, (9, 6), "tensor")
    position = torch.arange(9.0)
    expected = torch.stack([position.sin(), position.cos()], dim=1)
    begins_well = torch.allclose(table[0, :2].float(), expected[0], atol=1e-4)
    expect.close(
        table[:, :2],
        expected,
        "The first pair of columns doesn't hold the sine and the cosine of the position. "
        + (
            "Row 0 is right, but at position 1 the angle of this pair should be 1: to divide by "
            "10000 to the power of 0 changes nothing."
            if begins_well
            else "At position 0 these are 0 and 1."
        ),
    )


@points(1, PAIRS)
def test_each_pair_of_columns_shares_one_angle(student: Student) -> None:
    """Columns 2i and 2i+1 are the sine and cosine of one angle, so their squares sum to 1."""
    table = student.positional_encoding(40, 10)
    expect.array(table, (40, 10), "tensor")
    pairs = table.unflatten(1, (5, 2))
    expect.close(
        pairs.square().sum(-1),
        torch.ones(40, 5),
        "The squares of two neighbouring columns (0 and 1, 2 and 3, …) don't sum to 1. Those of "
        "the sine and the cosine of one angle do: what stands side by side in your table?",
    )
    assert (pairs[-1] != pairs[0]).any(-1).all(), (
        "Some pair of columns is the same at the first and the last position. Each pair should "
        "turn with the position, if slowly."
    )


@points(1, ANGLES)
def test_the_angles_slow_down_as_they_should(student: Student) -> None:
    """Some column turns by 1 from one position to the next, and some by 1/100, for d_model = 4.

    Wherever it begins, a wave that turns by ω has f(t + k) + f(t - k) = 2 cos(ωk) f(t).
    """
    table = student.positional_encoding(220, 4)
    expect.array(table, (220, 4), "tensor")
    for k in (1, 100):  # where ωk = 1
        turned = table[2 * k :] + table[: -2 * k] - 2 * math.cos(1) * table[k:-k]
        is_wave = (turned.abs().amax(0) < 1e-3) & (table.abs().amax(0) > 0.1)
        assert is_wave.any(), (
            "One of the waves of the formula is in no column of yours, wherever it begins. Compare "
            "the angle of column 2, where 2i = 2, with yours: the base, the exponent, and what is "
            "divided by the power."
        )


@points(1, ANGLES)
def test_long_tables_follow_the_formula(student: Student, sinusoids: Table) -> None:
    """Every entry of a table of 100 positions and 16 columns is what the formula says."""
    expect.close(
        student.positional_encoding(100, 16),
        sinusoids(100, 16),
        "Some entries of a table of 100 positions differ from the formula. If earlier tests fail "
        "as well, start there. If not: which positions, or which columns, are the first to differ?",
        tolerance=2e-4,
    )


@points(1, ODD)
def test_an_odd_d_model_ends_with_a_sine(student: Student, sinusoids: Table) -> None:
    """With d_model = 7 or 1, the table is right up to its last column."""
    laws.agrees_at(
        (7, 1),
        lambda d_model: student.positional_encoding(11, d_model),
        lambda d_model: sinusoids(11, d_model),
        lambda d_model: (
            f"With d_model = {d_model} the table is not what the formula says. If tests of even "
            "widths fail as well, start there. If not, look at how many sines and cosines there "
            "are, and at what the exponents are divided by."
        ),
    )


@points(1, NUMBERS)
def test_float32_numbers_tell_the_positions_apart(student: Student) -> None:
    """The table is float32, and its rows differ."""
    table = student.positional_encoding(50, 6)
    expect.array(table, (50, 6), "tensor")
    expect.that(
        table.dtype == torch.float32,
        f"The numbers of your table are {str(table.dtype).removeprefix('torch.')}, where float32 "
        "is asked for. Which of your numbers brings its own type along?",
    )
    assert tells_apart(table), (
        "Many positions have the same row, so a model can't tell them apart. The columns should "
        "depend on the position."
    )


@points(1, LENGTHS)
def test_a_row_depends_on_nothing_but_its_position(student: Student) -> None:
    """In a table of 1, 5 or 6000 positions, each has the same row, and a row of its own.

    What the rows are isn't asked here, but that one of the two columns, or every other number of
    it, is a wave. Their angles are whole numbers: float32 loses nothing of them, however long the
    table.
    """
    longest = student.positional_encoding(6000, 2)
    expect.array(longest, (6000, 2), "tensor", "Where does that length come from?")
    assert tells_apart(longest), (
        "In a table of 6000 positions, many have the same row, so a model can't tell them apart. "
        "Look at what becomes of positions in the thousands."
    )
    assert any(turns(each) for column in longest.T for each in (column, column[::2])), (
        "With d_model = 2, neither column is a wave along the positions. The first one should be "
        "the sine of the position, and the second its cosine."
    )
    laws.agrees_at(
        (1, 70, 5),
        lambda length: student.positional_encoding(length, 2),
        lambda length: longest[:length],
        lambda length: (
            f"A table of {length} positions doesn't hold the rows that a table of 6000 begins "
            "with. In all tables of one width, a position has the same row: what in your code "
            "depends on the length, or on an earlier call?"
        ),
        tolerance=2e-4,
    )
