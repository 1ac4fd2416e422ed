"""Hidden tests of `softmax`, by ideas: the formula, each row on its own, any size of score, -inf.

Each mistake costs its idea and no more. Where the axis is not what is tested, each row and column
holds the same scores: softmax is then the same along both. Where the sum is not, each row is
divided by its sum before it is looked at. Where the exponential is not, one score leads by so much
that any would do, or results are compared with what the student makes of such a matrix, which the
formula's own test compares with SciPy's.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax

from autograder.testing import Student, expect, laws, points

from ..rows import attempted, expect_choice, expect_soft, is_cut_off, shares

Draw = Callable[..., np.ndarray]

EACH_ROW = "each row on its own, along the last axis, however many axes there are"
ANY_SIZE = "scores of any size go well"


def rotated(*row: float) -> np.ndarray:
    """Return the symmetric matrix whose rows, and whose columns too, are rotations of `row`."""
    first = np.array(row, dtype=float)
    return np.stack([np.roll(first, -shift) for shift in range(len(row))])


def made_of(student: Student, row: np.ndarray) -> Any:
    """Return what the student makes of the matrix of rotations of `row`, or else of `row` alone."""
    square = attempted(lambda: student.softmax(rotated(*row)))
    return student.softmax(np.array(row, dtype=float)) if square is None else square


def expected_of(result: Any, row: np.ndarray) -> np.ndarray:
    """Return the matrix of rotations of `row`, or `row` itself for a result with one axis."""
    return row if np.ndim(result) == 1 else rotated(*row)


Rows = tuple[np.ndarray, ...]


@pytest.fixture
def leads(draw: Draw) -> Rows:
    """Two rows of scores in the same order; how far the largest leads differs."""
    low, middle, lead, _ = np.abs(draw(4)) / 8
    return np.array([low, 2 + lead, 1 + middle, low]), np.array([low, 4 + lead, 1 + middle, low])


def expect_soft_shares(student: Student, leads: Rows) -> None:
    """Require shares that go by how far a score leads, of a vector or of a matrix's first row."""
    expect_soft(lambda row: np.atleast_2d(made_of(student, row))[:1], leads)


@points(1, "a new array of the same shape comes back")
def test_an_array_of_the_same_shape_comes_back(student: Student, leads: Rows, draw: Draw) -> None:
    """The result is a new array of the scores' shape, axes of length 1 included."""
    scores = rotated(*draw(4))
    scores[0, 0] += 7  # so that they are never all alike
    question = scores.copy()
    proportions = attempted(lambda: student.softmax(question))
    if proportions is None:  # for a matrix it breaks off, which costs points elsewhere
        question = scores[0]
        proportions = student.softmax(question)
    expect_choice(proportions, question.shape, "proportions")
    expect.that(not np.array_equal(proportions, question), "The scores themselves come back.")
    for shape in ((4,), (1, 5), (1, 1), (3, 1), (1, 1, 4)):
        result = attempted(partial(student.softmax, draw(*shape)))
        if result is not None:
            expect.array(result, shape, says=f"Scores of shape {shape} went in.")
    with_hidden = np.where(question == question.min(), -np.inf, question)
    laws.leaves_inputs_alone(
        student,
        lambda: attempted(lambda: student.softmax(with_hidden)),
        lambda: attempted(lambda: student.softmax(question)),
        reveals="softmax-input-changed",
    )
    expect_soft_shares(student, leads)


@points(3, "each exponential is divided by the sum of all")
def test_exponentials_are_divided_by_their_sum(student: Student, draw: Draw) -> None:
    """Each score's exponential is divided by the sum of all in its row, small ones included."""
    long = np.sort(draw(200))
    for scores in (np.log([1.0, 0.25, 4.0, 2.0]), draw(5), np.log([40_000.0, 2.0, 20.0]), long):
        result = made_of(student, scores)
        if isinstance(result, np.ndarray) and result.ndim == 2 and np.isclose(result.sum(), 1):
            result = len(scores) * result  # one sum for all rows: the next test says so
        expected = expected_of(result, softmax(scores))
        expect.that(
            not is_cut_off(result, expected),
            "Shares that are small, but not 0, come back as 0.",
            reveals="softmax-small-shares-cut-off",
        )
        expect.close(
            result,
            expected,
            f"For rows of {len(scores)} scores, the shares are not in proportion to the "
            "exponentials of the scores, or they don't sum to 1, or they are not as exact as they "
            "could be. Compare what your function returns with the formula, worked out by hand.",
        )


@points(2, EACH_ROW)
def test_each_row_is_normalised_on_its_own(student: Student, leads: Rows, draw: Draw) -> None:
    """In a matrix, the scores of a row compete with each other and with no others."""
    scores = 1 + np.abs(draw(3, 5))
    scores[:, 0] = scores.max(axis=1) + np.array([0.5, 1, 1.5])  # so rows differ
    together = student.softmax(scores)
    expect_choice(together, (3, 5), "proportions")
    for row, proportions in zip(scores, together, strict=True):
        alone = made_of(student, row)
        expect.close(
            proportions[None],
            np.reshape(alone, (-1, 5))[:1] if np.shape(alone)[-1:] == (5,) else alone,
            "A row of scores gets other proportions among some rows than among others. In which "
            "of your steps does the number for one row depend on other rows?",
        )
    raised = scores + 3 * np.eye(5)[4]
    after = student.softmax(raised)
    expect.array(after, (3, 5))
    expect.that(
        bool((np.abs(after - together)[:, :4].max(axis=1) > 1e-6).all()),
        "When one score of a row grows, the proportions of the others in that row stay as they "
        "are. Then nothing is shared out: which scores does your sum run over?",
    )
    expect_soft_shares(student, leads)


@points(1, EACH_ROW)
def test_the_last_axis_is_used_however_many_there_are(
    student: Student, leads: Rows, draw: Draw
) -> None:
    """For a vector, and with three or four axes, softmax works along the last axis."""
    questions = [draw(*shape) for shape in ((4,), (2, 3, 4), (2, 3, 2, 3))]
    for scores in questions:
        scores[..., 0] = 1 + scores[..., -1]  # so that entries are not all alike
    questions += questions[1::-1]
    results = [student.softmax(scores) for scores in questions]
    for scores, result in zip(questions, results, strict=True):
        shape = scores.shape
        rows = f"an array of {len(shape)} axes" if len(shape) > 1 else "a vector"
        expect.array(result, shape, says=f"These are the proportions for {rows}.")
        alike = shape[-1] > 1 and bool((result == result[..., :1]).all())
        expect.that(not alike, f"The proportions for {rows} are all alike.")
        is_input = shape[-1] > 1 and np.array_equal(result, scores)
        expect.that(not is_input, f"For {rows}, the scores themselves come back.")
        for place in list(np.ndindex(shape[:-1]))[:3]:
            alone = made_of(student, scores[place])
            expect.close(
                np.reshape(result[place], (1, -1)),
                np.reshape(alone, (-1, shape[-1]))[:1] if np.ndim(alone) in (1, 2) else alone,
                f"The same scores get other proportions in {rows} than in a matrix. Along which "
                "axis do you work in each case, counted from the end?",
            )
    expect_soft_shares(student, leads)


@points(1, ANY_SIZE)
def test_large_and_very_negative_scores_go_well(student: Student, leads: Rows) -> None:
    """Scores around 1000 and -1000, and of hundreds of thousands, give ordinary proportions."""
    high = ((1000, 0, -1000, 0), (300_000, 299_000, -300_000, 0))
    low = ((-1000, -2000, -3000), (-300_000, -301_000, -302_000))
    for row in (*high, *low):
        result = shares(made_of(student, np.array(row)))
        expect.close(
            result,
            expected_of(result, np.eye(len(row))[0]),
            f"With scores up to {row[0]:,}, the highest should get everything when it leads by a "
            "thousand. If scores near 0 go well, look at the numbers that your exponential gets "
            "to see here, and at what they add up to.",
        )
    expect_soft_shares(student, leads)


@points(1, ANY_SIZE)
def test_rows_may_lie_on_very_different_levels(student: Student, leads: Rows) -> None:
    """A row of very negative scores is not drowned by a row of large ones."""
    scores = np.full((3, 3), -9000.0) + np.diag([12_000, 9000, 6000])
    expect.close(
        shares(student.softmax(scores)),
        np.eye(3),
        "A row whose highest score is 3000 and one whose highest is -3000 go wrong in one matrix. "
        "If each goes well alone, look for a step of yours that sees both.",
    )
    expect_soft_shares(student, leads)


@points(1, "a score of −∞ gets exactly 0")
def test_minus_infinity_gets_exactly_nothing(student: Student, leads: Rows) -> None:
    """An entry of -inf gets exactly 0, and the others share the rest."""
    rows = [np.array([-300, -np.inf, -400]), np.array([1, -np.inf, -400])]
    lowest = attempted(lambda: made_of(student, np.array([-300_000, -302_000, -301_000])))
    if isinstance(lowest, np.ndarray) and np.isfinite(lowest).all() and lowest.any():
        rows.append(np.array([-300_000, -np.inf, -301_000]))  # scores as low as that go well
    results = [made_of(student, row) for row in rows]
    for row, result in zip(rows, results, strict=True):
        expect.close(
            shares(result),
            expected_of(result, np.eye(3)[0]),
            "Beside a score of -inf, the other scores should share everything among themselves, "
            "as if that entry were not there, however low they are. What becomes of -inf on its "
            "way through your steps?",
        )
        expect.that(
            bool((result[np.isinf(expected_of(result, row))] == 0).all()),
            "A score of -inf gets a share, be it a tiny one. What is the exponential of "
            "-inf in NumPy, and what becomes of it in your code?",
            reveals="softmax-hidden-not-quite-zero",
        )
    expect_soft_shares(student, leads)
