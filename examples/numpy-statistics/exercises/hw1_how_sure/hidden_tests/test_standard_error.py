"""Hidden tests of `standard_error`: a value by hand, a law, then Python's own `statistics`."""

from __future__ import annotations

import statistics

import numpy as np

from autograder.testing import Student, expect, laws, points


@points(1)
def test_two_numbers_by_hand(student: Student) -> None:
    """The mean of 2 and 6 has the standard error 2."""
    expect.close(
        student.standard_error(np.array([[2.0], [6.0]])),
        np.array([2.0]),
        "Of 2 and 6, the mean is 4, and each lies 2 away from it. Follow the formula with n = 2: "
        "which number stands under each root?",
    )


@points(2)
def test_the_same_numbers_once_more(student: Student, rng: np.random.Generator) -> None:
    """The same rows four times over: the error becomes about half as large."""
    X = rng.standard_normal((50, 3)) * np.array([1.0, 20.0, 300.0])
    once, often = student.standard_error(X), student.standard_error(np.tile(X, (4, 1)))
    expect.array(once, (3,))
    assert once.all(), "Your error is 0, though the numbers differ."
    # by √((n − 1) / (4n − 1)): the spread is no larger, and there are four times as many
    expect.close(
        often / once,
        np.full(3, np.sqrt(49 / 199)),
        "Four times as many numbers should about halve the error. By what is the spread divided?",
    )


@points(2)
def test_agrees_with_the_statistics_module(student: Student, rng: np.random.Generator) -> None:
    """On drawn numbers, each column has the error that `statistics.stdev` gives."""
    X = 10 + rng.standard_normal((6, 4))
    errors = [statistics.stdev(column) / 6**0.5 for column in X.T.tolist()]
    expect.close(
        student.standard_error(X),
        np.array(errors),
        "On drawn numbers your errors aren't those of Python's own `statistics.stdev`, divided as "
        "the formula says. Does each belong to a column, and is it the spread of a sample?",
    )


@points(1)
def test_the_input_is_left_alone(student: Student, rng: np.random.Generator) -> None:
    """The array passed in is not changed."""
    X = rng.standard_normal((6, 4))
    errors = student.standard_error(X)
    expect.array(errors, (4,))
    assert (errors > 0).all(), "Nothing is computed yet, so this can't be told."
    laws.leaves_inputs_alone(student, lambda: student.standard_error(X))
