"""Hidden tests of `softmax`: laws and hand-computed values first, then agreement with SciPy's own.

A mistake should cost no points but its own. Where the axis is not what is tested, the scores are
circulant: softmax is then the same along rows and along columns. Where the sum is not, each row is
divided by its sum before it is looked at. Where the exponential is not, either one score leads by
so much that any would do, or results are compared with the student's own.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from scipy.special import softmax

from autograder.testing import Student, expect, laws, points

from ..rows import expect_choice, shares

Draw = Callable[..., np.ndarray]
ROUGHLY = 0.05  # for sums: results that are rounded cost points elsewhere


def circulant(*row: float) -> np.ndarray:
    """Return the matrix whose rows, and whose columns too, are rotations of `row`."""
    first = np.array(row, dtype=float)
    return np.stack([np.roll(first, shift) for shift in range(len(row))])


def expect_proportions(result: Any, shape: tuple[int, ...]) -> None:
    """Require numbers from 0 to 1 that differ within a row, be they right or wrong."""
    expect_choice(result, shape, "proportions")
    says = "Proportions lie between 0 and 1, but some of yours don't."
    expect.that(bool(((result >= 0) & (result <= 1)).all()), says)


@points(1)
def test_exponentials_are_divided_by_their_sum(student: Student) -> None:
    """For a vector of scores, each exponential is divided by the sum of all."""
    expect.close(
        student.softmax(np.log([2.0, 1.0, 4.0])),
        np.array([2.0, 1.0, 4.0]) / 7,
        "For a vector of three scores, the shares are not in proportion to the exponentials of the "
        "scores, or not as exact as they could be. Compare what your function returns with the "
        "formula, worked out by hand.",
    )


@points(1)
def test_each_row_is_normalised_on_its_own(student: Student, draw: Draw) -> None:
    """In a matrix, each row becomes proportions of its own."""
    scores = draw(3, 5)
    proportions = student.softmax(scores)
    expect_proportions(proportions, (3, 5))
    says = "Each row of a matrix should sum to 1, but yours don't. Over which numbers do you add?"
    expect.close(proportions.sum(-1), 1, says, ROUGHLY)
    for row in range(3):
        expect.close(
            student.softmax(scores[[row, row]]),
            proportions[[row, row]],
            "The same row of scores gets other proportions in one matrix than in another. Which "
            "step of yours sees more than one row at a time?",
        )


@points(1)
def test_the_last_axis_is_used_however_many_there_are(student: Student, draw: Draw) -> None:
    """With three or four axes, softmax still works along the last one."""
    for shape in ((2, 3, 5), (3, 2, 4, 5)):
        scores = draw(*shape)
        proportions = student.softmax(scores)
        expect_proportions(proportions, shape)
        for place in np.ndindex(shape[:-2]):
            expect.close(
                student.softmax(scores[place]),
                proportions[place],
                f"A matrix of scores gets other proportions alone than as a part of an array of "
                f"{len(shape)} axes. Along which axis do you work in each case, counted from the "
                "end?",
            )


@points(1)
def test_any_axis_may_have_length_1(student: Student, draw: Draw) -> None:
    """A single row keeps its axis, and a row with a single score gives 1."""
    scores = draw(2, 5)
    alone, both = student.softmax(scores[:1]), student.softmax(scores)
    expect_proportions(both, (2, 5))
    says = "A matrix with a single row comes back different from the same row beside another one."
    expect.close(alone, both[:1], f"{says} Does anything depend on how many rows there are?")
    between = student.softmax(scores[:, None])
    expect.close(
        between,
        both[:, None],
        "With an axis of length 1 in the middle, rows come back different than without it.",
    )
    single = shares(student.softmax(draw(4, 1)))
    expect.close(single, np.ones((4, 1)), "A row with a single score should give it everything.")


@points(1)
def test_large_scores_do_not_overflow(student: Student) -> None:
    """Scores around 1000, and of hundreds of thousands, give ordinary proportions."""
    for scores in (circulant(1000, 0, -1000, 0), circulant(300_000, 299_000, -300_000, 0)):
        expect.close(
            shares(student.softmax(scores)),
            circulant(1, 0, 0, 0),
            f"With scores up to {scores.max():,.0f}, the highest should get everything when it "
            "leads by a thousand. If small scores go well, look at the numbers that your "
            "exponential gets to see here.",
        )


@points(1)
def test_very_negative_scores_do_not_vanish(student: Student) -> None:
    """Rows of nothing but very negative scores give ordinary proportions, too."""
    for scores in (circulant(-1000, -2000, -3000), circulant(-300_000, -301_000, -302_000)):
        expect.close(
            shares(student.softmax(scores)),
            circulant(1, 0, 0),
            f"With scores of at most {scores.max():,.0f}, the highest should get everything when "
            "it leads by a thousand. If scores near 0 go well, look at the numbers that your "
            "exponential gets to see here, and at what they add up to.",
        )


@points(1)
def test_rows_may_lie_on_very_different_levels(student: Student) -> None:
    """A row of very negative scores is not drowned by a row of large ones."""
    scores = np.array([[3000.0, 1000.0, 2000.0], [-3000.0, -2000.0, -1000.0]])
    expect.close(
        student.softmax(scores),
        np.eye(3)[[0, 2]],
        "A row around 2000 and a row around -2000 go wrong in one matrix. If each goes well alone, "
        "look for a step of yours that sees both.",
    )


@points(1)
def test_minus_infinity_gets_exactly_nothing(student: Student) -> None:
    """An entry of -inf gets exactly 0, and the others share the rest."""
    questions = [circulant(1, -np.inf, -1000), circulant(-300_000, -np.inf, -301_000)]
    answers = [student.softmax(scores) for scores in questions]
    for scores, proportions in zip(questions, answers, strict=True):
        expect.close(
            shares(proportions),
            circulant(1, 0, 0),
            "Beside a score of -inf, the other scores should share everything among themselves, "
            "as if that entry were not there, however low they are.",
        )
        expect.that(
            bool((proportions[np.isinf(scores)] == 0).all()),
            "A score of -inf gets a share that is tiny, but not 0. What is the exponential of "
            "-inf in NumPy, and what becomes of it in your code?",
            reveals="softmax-hidden-not-quite-zero",
        )


@points(1)
def test_the_input_is_left_alone(student: Student, draw: Draw) -> None:
    """The scores passed in are not changed, whether or not some are -inf."""
    scores = circulant(*draw(4))
    scores[0, 0] += 1  # so that they are never all alike
    proportions = student.softmax(scores)
    expect_choice(shares(proportions), (4, 4), "proportions")
    expect.that(not np.array_equal(proportions, scores), "The scores themselves come back.")
    with_hidden = circulant(1, -np.inf, 0)
    laws.leaves_inputs_alone(
        student, lambda: student.softmax(with_hidden), reveals="softmax-input-changed"
    )


@points(1)
def test_it_agrees_with_the_formula_whatever_the_shape(student: Student, draw: Draw) -> None:
    """Drawn scores of many shapes, one after the other, agree with SciPy's softmax."""
    questions = [draw(*shape) for shape in ((3, 5), (4,), (2, 3, 5), (4,), (3, 5), (3, 2, 4, 5))]
    for scores in (*questions, questions[0]):
        expect.close(
            student.softmax(scores),
            softmax(scores, axis=-1),
            f"For drawn scores of shape {scores.shape}, the result is not softmax along the last "
            "axis. This test combines the ones above; fix those first.",
        )
