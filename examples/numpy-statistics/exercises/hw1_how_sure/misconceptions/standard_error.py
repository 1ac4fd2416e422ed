"""What learners get wrong in standard_error."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def standard_error(X):
    spread = X.std(axis=0, ddof=1)
    number = X.shape[0]
    return spread / np.sqrt(number)
"""

# Of results with one axis, that is the plain list.
NOT_MISTAKES = ("list-of-rows",)

MISCONCEPTIONS = (
    Variant(
        tag="standard-error-spread",
        description="Returns the standard deviation",
        message="You return how much single numbers spread. A mean of many moves less than each of "
        "them does: what in the formula says how much less?",
        edits={"spread / np.sqrt(number)": "spread"},
    ),
    Variant(
        tag="standard-error-no-root",
        description="Divides by n instead of its root",
        message="You divide by the number of observations itself. Four times as many would make a "
        "mean four times as sure, where the formula promises less. Is a step missing?",
        edits={"np.sqrt(number)": "number"},
    ),
    Variant(
        tag="standard-error-population",
        description="Divides the sum of squares by n (ddof=0)",
        message="Your spread is that of a whole population. Here is a sample, measured from its "
        "own mean, which lies too close to it. What does the formula divide the sum of squares by?",
        edits={", ddof=1": ""},
    ),
)
