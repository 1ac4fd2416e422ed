"""Hidden tests of `interval`: what lies in it, and an example by counting."""

from __future__ import annotations

import numpy as np

from autograder.testing import Student, expect, points


@points(2)
def test_of_eleven_numbers_the_outermost_are_left_out(
    student: Student, rng: np.random.Generator
) -> None:
    """Of eleven drawn numbers, the middle 80 % lie between the outermost but one."""
    means = rng.standard_normal(11)
    expect.close(
        student.interval(means, 0.8),
        np.sort(means)[[1, -2]],
        "Of eleven numbers, 80 % should stay, in the middle. Sort them and count: how many are "
        "left out at each end?",
    )


@points(2)
def test_the_share_that_is_asked_for_lies_inside(
    student: Student, rng: np.random.Generator
) -> None:
    """Of many drawn numbers, the share lies inside, and as many are below as above."""
    means, share = rng.exponential(size=200), float(rng.uniform(0.6, 0.7))
    ends = student.interval(means, share)
    expect.array(ends, (2,))
    below, above = (means < ends[0]).mean(), (means > ends[1]).mean()
    expect.close(
        np.array([below, above]),
        np.full(2, (1 - share) / 2),
        "What you leave out isn't half of the rest on either side. Draw a line from 0 to 1, with "
        "the share in its middle: where does it begin?",
        tolerance=0.01,
    )
