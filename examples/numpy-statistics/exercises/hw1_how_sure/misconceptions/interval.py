"""What learners get wrong in interval."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def interval(means, share):
    outside = (1 - share) / 2
    return np.quantile(means, [outside, 1 - outside])
"""

# Of results with one axis, that is the plain list.
NOT_MISTAKES = ("list-of-rows",)

MISCONCEPTIONS = (
    Variant(
        tag="interval-share-outside",
        description="Leaves the share out, and keeps the rest",
        message="You leave out the share that should stay. Is 0.9 what lies inside your interval, "
        "or outside?",
        edits={"(1 - share) / 2": "share / 2"},
    ),
    Variant(
        tag="interval-all-at-each-end",
        description="Leaves out the whole rest at each end",
        message="You leave out the whole rest at the lower end, and as much at the upper one. How "
        "much is then left in the middle?",
        edits={"(1 - share) / 2": "1 - share"},
    ),
    Variant(
        tag="interval-from-the-smallest",
        description="Begins at the smallest number",
        message="Your interval begins at the smallest of the means, so all that is left out lies "
        "at the upper end. Where is the middle of what you keep?",
        edits={"[outside, 1 - outside]": "[0, share]"},
    ),
)
