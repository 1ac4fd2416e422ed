"""What learners get wrong in worked_example: the dictionary and its entries."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="example-steps-rounded",
        description="Rounds all steps to two decimals",
        message="You round the steps. In the notebook's example nothing is lost, for its numbers "
        "are nearly whole; with other ones the rest is gone. Rounding is for printing.",
        edits={"return steps": "return {name: step.round(2) for name, step in steps.items()}"},
    ),
    Variant(
        tag="example-squeezed",
        description="Squeezes the steps: axes of length 1 are lost",
        message="Where a size is 1, steps of yours are one axis short: the keys of a single token "
        "should still be a matrix of one row, and scores a vector of one entry. What drops axes of "
        "length 1, and what was it meant for?",
        edits={"return steps": "return {name: np.squeeze(step) for name, step in steps.items()}"},
    ),
)
