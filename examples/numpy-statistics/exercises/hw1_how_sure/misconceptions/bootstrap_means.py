"""What learners get wrong in bootstrap_means."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def bootstrap_means(x, repeats, rng):
    number = len(x)
    drawn = [rng.choice(x, number, replace=True) for _ in range(repeats)]
    return np.array(drawn).mean(axis=1)
"""

# Rounding is too little beside chance, and with one axis, a list of rows is a plain one.
NOT_MISTAKES = ("rounded", "rounded-coarsely", "list-of-rows")

MISCONCEPTIONS = (
    Variant(
        tag="bootstrap-means-not-put-back",
        description="Draws without replacement",
        message="You draw without putting back. Whoever takes all eight weights out of the bag has "
        "the same eight each time, in another order: what does their mean do?",
        edits={"replace=True": "replace=False"},
    ),
    Variant(
        tag="bootstrap-means-one-drawn",
        description="Draws one number in place of n",
        message="Each of your means is of a single number. How large is the sample that you want "
        "to know about, and how many should you draw to imitate it?",
        edits={"number = len(x)": "number = 1"},
    ),
)
