"""What learners get wrong in mean_squared_error."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def mean_squared_error(guess, wanted):
    squares = (guess - wanted) ** 2
    loss = squares.mean()
    return loss
"""

# Of a single number, that is the plain list.
NOT_MISTAKES = ("list-of-rows",)

MISCONCEPTIONS = (
    Variant(
        tag="mean-squared-error-sum",
        description="Adds up in place of averaging",
        message="You add the squares up. With a hundred rows in place of ten, the same guesses "
        "would then be ten times as wrong. What keeps the loss apart from the number of rows?",
        edits={".mean()": ".sum()"},
    ),
    Variant(
        tag="mean-squared-error-absolute",
        description="Averages the differences without squaring them",
        message="You average the sizes of the differences. Double them, and your loss doubles as "
        "well: what should happen to each difference before the mean is taken?",
        edits={"(guess - wanted) ** 2": "(guess - wanted).abs()"},
    ),
    Variant(
        tag="mean-squared-error-rows",
        description="Adds up each row, and averages over rows",
        message="You add up within each row, and average over the rows. With more columns your "
        "loss grows, though no guess became worse. Over how many numbers does a mean of all go?",
        edits={"squares.mean()": "squares.sum(-1).mean()"},
    ),
)
