"""Hidden tests of `softmax`: laws and hand-computed values first, then agreement with SciPy's own.

Where the axis is not what is tested, the scores are circulant: softmax is then the same along rows
and along columns. There each row is also divided by its sum before it is looked at. So a mistake in
the axis, or one sum for the whole array, costs no points but its own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from autograder.testing import Student, expect, points

Draw = Callable[..., np.ndarray]


def circulant(*row: float) -> np.ndarray:
    """Return the matrix whose rows, and whose columns too, are rotations of `row`."""
    first = np.array(row, dtype=float)
    return np.stack([np.roll(first, shift) for shift in range(len(row))])


def shares(result: Any) -> Any:
    """Return what each entry of a matrix is of its row's sum; what is no matrix as it is."""
    if not isinstance(result, np.ndarray) or result.ndim != 2:
        return result
    with np.errstate(all="ignore"):
        return result / result.sum(axis=-1, keepdims=True)


@points(1)
def test_exponentials_are_divided_by_their_sum(student: Student) -> None:
    """For a vector of scores, each exponential is divided by the sum of all."""
    expect.close(
        student.softmax(np.log([3.0, 1.0, 4.0, 2.0])),
        np.array([0.3, 0.1, 0.4, 0.2]),
        "For a vector of four scores, the shares are not in proportion to the exponentials of the "
        "scores. Look at the formula: one exponential above the line, the sum of all below it.",
    )


@points(1)
def test_each_row_is_normalised_on_its_own(student: Student, draw: Draw) -> None:
    """In a matrix, each row becomes proportions of its own."""
    scores = draw(3, 5)
    expect.close(
        student.softmax(scores),
        softmax(scores, axis=-1),
        "Each row of a matrix should sum to 1 on its own, whatever the other rows hold. Along "
        "which axis do you add, and does the sum keep that axis (`keepdims=True`)?",
    )


@points(1)
def test_the_last_axis_is_used_however_many_there_are(student: Student, draw: Draw) -> None:
    """With three or four axes, softmax still works along the last one."""
    for shape in ((2, 3, 5), (3, 2, 4, 5)):
        scores = draw(*shape)
        expect.close(
            student.softmax(scores),
            softmax(scores, axis=-1),
            f"With {len(shape)} axes, the result is not softmax along the last one. An axis "
            "counted from the front means another one when there are more axes; count from the "
            "back.",
        )


@points(1)
def test_large_scores_do_not_overflow(student: Student) -> None:
    """Scores around 1000 give ordinary proportions."""
    scores = circulant(1000, 999, -1000, -1000)
    expect.close(
        shares(student.softmax(scores)),
        softmax(scores, axis=-1),
        "Scores around 1000 go wrong. If small scores don't, it is because the exponential of 1000 "
        "doesn't fit into a float64: move the scores before you take it.",
    )


@points(1)
def test_very_negative_scores_do_not_vanish(student: Student) -> None:
    """Scores around -1000 give ordinary proportions, too."""
    scores = circulant(-1000, -1001, -1002)
    expect.close(
        shares(student.softmax(scores)),
        softmax(scores, axis=-1),
        "Scores around -1000 go wrong. If small scores don't, it is because all exponentials "
        "become 0, and so does the sum you divide by. Where should the largest score lie after "
        "your shift, whatever its sign was?",
    )


@points(1)
def test_rows_may_lie_on_very_different_levels(student: Student) -> None:
    """A row of very negative scores is not drowned by a row of large ones."""
    scores = np.array([[1000.0, 998.0, 999.0], [-1000.0, -1000.0, -1001.0]])
    expect.close(
        student.softmax(scores),
        softmax(scores, axis=-1),
        "A row around 1000 and a row around -1000 go wrong in one matrix. If each goes well alone, "
        "it is because a shift that suits one row doesn't suit the other: does each get its own?",
    )


@points(1)
def test_minus_infinity_gets_exactly_nothing(student: Student) -> None:
    """An entry of -inf gets exactly 0, and the others share the rest."""
    scores = circulant(np.log(3), -np.inf, 0)
    proportions = student.softmax(scores)
    expect.close(
        shares(proportions),
        circulant(0.75, 0, 0.25),
        "Beside a score of -inf, the other scores should share everything among themselves, as "
        "if that entry were not there.",
    )
    assert (proportions[np.isinf(scores)] == 0).all(), (
        "A score of -inf gets a share that is small but not 0. In NumPy the exponential of -inf "
        "is exactly 0 by itself: let it through unchanged."
    )


@points(1)
def test_the_input_is_left_alone(student: Student, draw: Draw) -> None:
    """The scores passed in are not changed."""
    scores = circulant(*draw(4))
    expect.close(
        shares(student.softmax(scores)),
        softmax(scores, axis=-1),
        "Small scores go wrong already, so whether the input is left alone can't be told. See to "
        "the other checks first.",
    )
    assert not student.inputs_changed, (
        "The right numbers come back, but the array passed in was changed as well. `x -= …` and "
        "`out=x` write into the caller's array; `x = x - …` makes a new one."
    )
