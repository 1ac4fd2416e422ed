"""What learners get wrong in softmax: axis."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="softmax-first-axis",
        description="Normalises along the first axis (axis=0) instead of the last",
        message="In a matrix you let the scores of a column compete with each other, where those "
        "of a row should. While NumPy walks along an axis, that is the index that changes: which "
        "index changes within a row?",
        edits={"axis=-1": "axis=0"},
    ),
    Variant(
        tag="softmax-second-axis",
        description="Writes axis=1: right for matrices only",
        message="You count the axis from the front. In a matrix axis 1 is the last, but a vector "
        "has no axis 1 at all, and with three axes it lies in the middle. NumPy can also count "
        "from the end.",
        edits={"axis=-1": "axis=1"},
    ),
    Variant(
        tag="softmax-second-axis-beyond-vectors",
        description="Treats vectors apart and everything else along axis 1",
        message="For vectors and for matrices you pick the right axis, but with three axes you "
        "still take the second. A branch for each number of axes always forgets one: there is a "
        "way to name the last axis that needs no branch.",
        edits={"axis=-1": "axis=min(1, x.ndim - 1)"},
    ),
    Variant(
        tag="softmax-whole-array",
        description="One sum over the whole array (also scipy's or sum() without an axis)",
        message="You treat the whole array as one list of scores, where each row is a list of its "
        "own. A reduction without an axis swallows everything: along which axis do the scores "
        "compete?",
        edits={"axis=-1": "axis=None"},
    ),
    Variant(
        tag="softmax-whole-array-unless-matrix",
        description="Handles matrices by rows, but everything else as one long vector",
        message="A matrix you treat row by row, but anything else as one long list of scores. For "
        "a vector that is right, for three or four axes it isn't: that branch catches more than it "
        "was made for. One line can serve every number of axes.",
        edits={"axis=-1": "axis=-1 if x.ndim == 2 else None"},
    ),
    Variant(
        tag="softmax-loop-over-first-axis",
        description="Loops `for row in x`, so a vector's entries count as rows",
        message="You treat each x[i] as one list of scores. That is a row if x is a matrix; but in "
        "a vector x[i] is a single number, whose share of itself is always 1, and with three axes "
        "it is a whole matrix. The lists of scores lie along the last axis, however many come "
        "before it.",
        edits={"axis=-1": "axis=tuple(range(1, x.ndim))"},
    ),
    Variant(
        tag="softmax-loop-over-first-axis-unless-vector",
        description="Treats a vector apart, and each x[i] of anything else as one list of scores",
        message="A vector goes well, and so does a matrix, where each x[i] is a row. With three "
        "axes x[i] is a whole matrix, and all of its scores compete with each other. The lists of "
        "scores lie along the last axis, however many come before it.",
        edits={"axis=-1": "axis=tuple(range(min(1, x.ndim - 1), x.ndim))"},
    ),
    Variant(
        tag="softmax-matrices-only",
        description="Unpacks x.shape into two numbers, so only matrices work",
        message="Your function unpacks the shape into two numbers and so works for matrices alone; "
        "scores may also come as a vector, or with three axes or more. NumPy's reductions ask for "
        "an axis, and need no number of rows.",
        edits={"    largest =": "    rows, columns = x.shape\n    largest ="},
    ),
    Variant(
        tag="softmax-sum-over-everything",
        description="Shifts each row by its own maximum, but divides by one sum for all",
        message="Each row is moved by its own largest score, yet all are divided by one sum, that "
        "of the whole array. So the rows together share a single 1, where each row should have one "
        "of its own. Which of your two reductions lacks an axis?",
        edits={"powers.sum(axis=-1, keepdims=True)": "powers.sum()"},
    ),
    Variant(
        tag="softmax-sum-over-first-axis",
        description="Shifts along the last axis, but sums along the first",
        message="Your shift runs along the rows and your sum down the columns. In a matrix the "
        "columns sum to 1 then, and in no column are all scores moved alike. The two reductions "
        "should see the same scores.",
        edits={"powers.sum(axis=-1": "powers.sum(axis=0"},
    ),
    Variant(
        tag="softmax-shift-down-the-columns",
        description="Shifts along the first axis, but sums along the last",
        message="You move each score by the largest of its column, so the scores of a row move by "
        "different amounts, and their shares change. Softmax stays the same only where all that "
        "compete move alike: the two reductions should see the same scores.",
        edits={"x.max(axis=-1": "x.max(axis=0"},
    ),
    Variant(
        tag="softmax-shape-read-as-a-matrix",
        description="Loops over x.shape[0] and x.shape[1]: vectors fail, three axes go wrong",
        message="Your function takes the second size in x's shape for the number of columns, "
        "which suits matrices alone: a vector has no second size, and with three axes it isn't "
        "the last. A step that works along an axis needs to know no size at all. Along which one "
        "should it work?",
        source="""\
def softmax(x):
    result = np.zeros(x.shape)
    for i in range(x.shape[0]):
        powers = [np.exp(x[i][j] - x[i].max()) for j in range(x.shape[1])]
        for j in range(x.shape[1]):
            result[i, j] = powers[j] / sum(powers)
    return result
""",
    ),
    Variant(
        tag="softmax-vectors-only-by-max",
        description="Loops with Python's max(x) and sum: works for vectors alone",
        message="Your function manages vectors, and breaks off on matrices: somewhere the "
        "entries of x are compared two by two. Those of a vector are numbers; those of a matrix "
        "are rows, and which of two rows is larger has no answer. Python's functions see the "
        "entries, NumPy's the axes. Which are yours?",
        source="""\
def softmax(x):
    powers = [np.exp(score - max(x)) for score in x]
    return np.array([power / sum(powers) for power in powers])
""",
    ),
    Variant(
        tag="softmax-vectors-only-by-math",
        description="Applies math.exp to each entry: works for vectors alone",
        message="Your function manages vectors, and breaks off on matrices: a step of yours takes "
        "one number at a time. The entries of a vector are numbers, but those of a matrix are "
        "rows. Look for a function that takes whole arrays, whatever their shape.",
        source="""\
def softmax(x):
    import math
    largest = x.max()
    powers = np.array([math.exp(score - largest) for score in x])
    return powers / powers.sum()
""",
    ),
    Variant(
        tag="softmax-axis-put-back-for-matrices",
        description="Restores the lost axis by [:, None], which suits matrices alone",
        message="After a reduction you put the lost axis back in second place. That is right for a "
        "matrix; but a vector has only one axis to lose, so a bare number is left, and with three "
        "axes the new one lands in the middle. A reduction can keep its axis itself.",
        edits={"axis=-1, keepdims=True)": "axis=-1)[:, None]"},
    ),
    Variant(
        tag="softmax-axis-put-back-by-reshape",
        description="Restores the lost axis by reshape(-1, 1), which suits matrices alone",
        message="After a reduction you put what is left into one column. That fits a matrix; a "
        "vector comes back with an axis too many, and with three axes the sizes clash. A reduction "
        "can keep its axis itself, wherever it is.",
        edits={"axis=-1, keepdims=True)": "axis=-1).reshape(-1, 1)"},
    ),
    Variant(
        tag="softmax-vector-comes-back-as-a-matrix",
        description="Makes a vector a matrix of one row and returns it so",
        message="A vector of scores goes in, a matrix of one row comes out. The result should have "
        "the shape of the scores. Where does the second axis come from, and can you do without it?",
        edits={"    largest =": "    x = np.atleast_2d(x)\n    largest ="},
    ),
    Variant(
        tag="softmax-vector-made-a-matrix-second-axis",
        description="Makes a vector a matrix of one row, returns it so, and uses axis=1",
        message="A vector comes back as a matrix of one row, an axis too many; and with three axes "
        "the scores of the second compete, where those of the last should. Which way of counting "
        "the axis works for any number of them?",
        edits={
            "    largest =": "    x = x[None] if x.ndim == 1 else x\n    largest =",
            "axis=-1": "axis=1",
        },
    ),
    Variant(
        tag="softmax-leading-axes-flattened",
        description="Flattens the leading axes by reshape and doesn't bring them back",
        message="All rows come back below each other in one matrix: from a vector a matrix, from "
        "three axes two. The result should have the shape of the scores. Where does the shape get "
        "lost in your code?",
        edits={"    largest =": "    x = x.reshape(-1, x.shape[-1])\n    largest ="},
    ),
    Variant(
        tag="softmax-axis-asked-for",
        description="Takes the axis as a second argument without a default",
        message="Your function asks for two arguments, the scores and an axis, but it is called "
        "with the scores alone: `softmax(x)`. Here the axis is always the same one, so it needs no "
        "name in the brackets.",
        edits={"softmax(x)": "softmax(x, axis)", "axis=-1": "axis=axis"},
    ),
    Variant(
        tag="softmax-last-two-axes",
        description="Works along the last two axes at once, so a whole matrix shares one sum",
        message="A vector goes well, but the scores of a whole matrix compete with each other, in "
        "an array of three axes as well: you work along the last two axes at once. Each row is a "
        "list of scores of its own.",
        edits={"axis=-1": "axis=tuple(range(x.ndim))[-2:]"},
    ),
    Variant(
        tag="softmax-rows-by-python",
        description="Takes Python's max of each row: works for matrices alone",
        message="Your function goes through the rows of a matrix by itself, and breaks off where "
        "x is no matrix: an entry of a vector is no row, and one of three axes is a whole matrix. "
        "NumPy's reductions ask for an axis, and need no loop.",
        edits={"x.max(axis=-1, keepdims=True)": "np.array([[max(n for n in row)] for row in x])"},
    ),
    Variant(
        tag="softmax-first-row-alone",
        description="Fills the first row only, as where `return` stands inside the loop",
        message="Only the first row of your result is filled, and the others hold zeros. If you "
        "go through the rows in a loop: how often does it run before your function returns?",
        edits={
            "return powers / total": (
                "inside = np.arange(x.size).reshape(x.shape) < x.shape[-1]\n"
                "    return np.where(inside, powers / total, 0)"
            )
        },
    ),
)

THREE_AXES = WorkedExample(
    """
Here is an array of three axes: one matrix, with two rows of two scores. e to the power of these
scores is 1 and 3 in the first row, and 1 and 1 in the second. More axes in front change nothing
for a row. It is still a list of scores that compete with each other alone, and the array that
comes back has three axes as well.

The first row: 1 + 3 = 4, so its shares are 1/4 = 0.25 and 3/4 = 0.75.

The second row: 1 + 1 = 2, so each score gets 1/2 = 0.5.

In a matrix, the second axis is the last one; here it isn't. Compare shapes first, then numbers:
which numbers have competed in yours?""",
    "softmax(np.log([[[1.0, 3.0], [1.0, 1.0]]]))",
    [[[0.25, 0.75], [0.5, 0.5]]],
)
EXAMPLES = (
    WorkedExample(
        """
Take two rows of two scores, chosen so that e to the power of them is 1 and 3 in the first row,
and 1 and 1 in the second. Each row is a list of its own: its scores compete with each other, and
with nobody else.

The first row adds up to 1 + 3 = 4, so its shares are 1/4 = 0.25 and 3/4 = 0.75.

The second row adds up to 1 + 1 = 2, so each of its scores gets 1/2 = 0.5.

The 3 never met the 1 below it. Now add up your own numbers: along each row, down each column, and
all four together. Which of these sums are 1, and which should be?""",
        "softmax(np.log([[1.0, 3.0], [1.0, 1.0]]))",
        [[0.25, 0.75], [0.5, 0.5]],
    ),
    WorkedExample(
        """
A vector is one list of scores, with a single axis. That axis is the first and the last at once,
and there is no second. Take three scores, chosen so that e to the power of them is 1, 2 and 5.

All three compete, so they are added up: 1 + 2 + 5 = 8.

The shares are 1/8 = 0.125, 2/8 = 0.25 and 5/8 = 0.625. They sum to 1, and three numbers
come back, as three went in.

A function that goes through rows finds none here: an entry of a vector is a number. Which line of
yours expects a second axis, or adds one?""",
        "softmax(np.log([1.0, 2.0, 5.0]))",
        [0.125, 0.25, 0.625],
    ),
    THREE_AXES,
)
