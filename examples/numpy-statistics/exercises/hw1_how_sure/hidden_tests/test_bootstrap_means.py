"""Hidden tests of `bootstrap_means`: what holds of the means, whoever draws them and how."""

from __future__ import annotations

import numpy as np

from autograder.testing import Student, expect, points

REPEATS = 4000  # how much their means spread is known to 1 %


@points(2)
def test_means_spread_as_those_of_as_many_numbers_do(
    student: Student, rng: np.random.Generator
) -> None:
    """Many means lie around that of the data, and spread as means of as many numbers do."""
    x, seed = rng.uniform(0, 10, 9), rng.integers(2**32)
    means = student.bootstrap_means(x, REPEATS, np.random.default_rng(seed))
    expect.array(means, (REPEATS,))
    spread = x.std() / 3  # the root of 9
    assert abs(means.mean() - x.mean()) < spread / 5, (
        "Your means don't lie around the mean of the data. From which numbers do you draw?"
    )
    expect.close(
        means.std(),
        spread,
        "Your means spread too much or too little. How many numbers are drawn for each of them, "
        "and may one be drawn twice?",
        tolerance=0.1,
    )


@points(1)
def test_draws_from_what_it_is_given(student: Student, rng: np.random.Generator) -> None:
    """Equal generators give equal means, and others other ones."""
    x = rng.uniform(0, 10, 9)
    first, again, other = (
        student.bootstrap_means(x, 7, np.random.default_rng(seed)) for seed in (1, 1, 2)
    )
    expect.array(first, (7,))
    expect.close(first, again, "Equal generators give two results: what else do you draw from?")
    assert np.ptp(first) > 0, "All your means are equal. Is each drawn anew, and can they differ?"
    expect.that(
        not np.array_equal(first, other),
        "Whatever generator you are given, the means are equal.",
    )
