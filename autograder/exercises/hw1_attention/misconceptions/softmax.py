"""What learners get wrong in softmax."""

from __future__ import annotations

from autograder.misconceptions import Variant

# Where the shift comes from and where it is used are apart, so that a wrong axis and a wrong
# shift can be made at once.
REFERENCE = """\
def softmax(x):
    largest = x.max(axis=-1, keepdims=True)
    shifted = x - largest
    powers = np.exp(shifted)
    total = powers.sum(axis=-1, keepdims=True)
    return powers / total
"""

WRONG_AXIS = (
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
        "has no axis 1 at all, and with three axes it lies in the middle. How does NumPy let you "
        "count from the end?",
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
        "a vector that is right, for three or four axes it isn't: that branch catches more than "
        "it was made for. Can one line serve every number of axes?",
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
        tag="softmax-matrices-only",
        description="Unpacks x.shape into two numbers, so only matrices work",
        message="Your function unpacks the shape into two numbers and so works for matrices "
        "alone; scores may also come as a vector, or with three axes or more. Do you need "
        "the number of rows at all, if NumPy's reductions know the axis?",
        edits={"    largest =": "    rows, columns = x.shape\n    largest ="},
    ),
)

WRONG_SHIFT = (
    Variant(
        tag="softmax-no-shift",
        description="Exponentiates the scores as they are: overflows at 1000, 0/0 at -1000",
        message="Scores around 1000 are still that large when they reach np.exp, and what comes "
        "out doesn't fit into a float64, so you end with nan. Softmax stays the same when all "
        "scores of a row move by the same amount: to where should they move?",
        edits={"x - largest": "x"},
    ),
    Variant(
        tag="softmax-one-shift-for-all",
        description="Subtracts one maximum for the whole array, so rows on low levels vanish",
        message="You move every row by the same amount, the largest score of the whole array. A "
        "row that lies far below it becomes all zeros, and zero divided by zero is nan. Each row "
        "is normalised on its own: what should each row be moved by?",
        edits={"x - largest": "x - x.max()"},
    ),
    Variant(
        tag="softmax-shift-not-by-largest",
        description="Subtracts the smallest score or the mean instead of the largest",
        message="You do move the scores, but some of them still end far above 0: in a row that "
        "reaches from -1000 to 1000 the exponential overflows all the same. The mean or the "
        "smallest score is no help there. Which score must come to lie at 0, so that none is "
        "above it?",
        edits={"x.max(": "x.min("},
    ),
    Variant(
        tag="softmax-shift-by-largest-size",
        description="Subtracts the largest absolute value, so very negative rows vanish",
        message="You subtract the largest size, whatever its sign. For scores around 1000 that is "
        "the largest score itself, but scores around -1000 are pushed down to -2000, and all "
        "their exponentials are 0. Which number, sign included, brings the top of a row to 0?",
        edits={"x.max(": "np.abs(x).max("},
    ),
    Variant(
        tag="softmax-clipped",
        description="Clips the scores instead of shifting them, so large ones become equal",
        message="You cut the scores off where np.exp would overflow. That saves you from nan, but "
        "1000 and 999 become the same score and get the same share. Moving all scores of a row "
        "by the same amount keeps their differences, and those are all that softmax depends on.",
        edits={"x - largest": "np.clip(x, -500, 500)"},
    ),
    Variant(
        tag="softmax-shift-above-the-line-only",
        description="Subtracts the maximum in the numerator but not in the denominator",
        message="The scores above the line are moved, those below it are not. Moving leaves a "
        "fraction unchanged only if the same factor cancels on both sides. Are the numbers that "
        "you add up the very ones that you divide?",
        edits={"total = powers": "total = np.exp(x)"},
    ),
    Variant(
        tag="softmax-shift-below-the-line-only",
        description="Subtracts the maximum in the denominator but not in the numerator",
        message="The scores below the line are moved, those above it are not. Moving leaves a "
        "fraction unchanged only if the same factor cancels on both sides. Are the numbers that "
        "you divide the very ones that you added up?",
        edits={"return powers": "return np.exp(x)"},
    ),
)

WRONG_FORMULA = (
    Variant(
        tag="softmax-keepdims-lost",
        description="Forgets keepdims=True: crashes or divides rows by each other's sums",
        message="A reduction removes the axis that it runs along: the sums of a (3, 5) matrix have "
        "shape (3,), and NumPy lines that up with the columns. Mostly it then crashes; in a square "
        "matrix it silently gives each row the numbers of other rows. What keeps the axis in "
        "place, with length 1?",
        edits={", keepdims=True": ""},
    ),
    Variant(
        tag="softmax-not-normalised",
        description="Returns the exponentials without dividing by their sum",
        message="You stop at what stands above the line of the formula, and nobody makes it sum to "
        "1. What turns parts into shares of a whole?",
        edits={"return powers / total": "return powers"},
    ),
    Variant(
        tag="softmax-no-exponential",
        description="Divides the scores themselves by their sum",
        message="You share out the scores themselves. Then a negative score gets a negative share, "
        "and scores that sum to 0 can't be divided at all. What does the formula do to each score "
        "first, so that every share is positive?",
        edits={"np.exp(shifted)": "x"},
    ),
    Variant(
        tag="softmax-base-two",
        description="Uses powers of 2 instead of e",
        message="One more point of score doubles a share of yours, where it should multiply it by "
        "about 2.7, so your shares come out too even. Which number does the formula raise to the "
        "power of the score?",
        edits={"np.exp(": "np.exp2("},
    ),
    Variant(
        tag="softmax-input-changed",
        description="Writes into its argument (x -= ... or out=x)",
        message="Your function overwrites the array that it is given, so whoever called it loses "
        "their scores. `x -= ...`, `x[i] = ...` and `out=x` write into that array; `x - ...` "
        "makes a new one.",
        edits={"np.exp(shifted)": "np.exp(shifted, out=x)"},
    ),
    Variant(
        tag="softmax-nothing-returned",
        description="Computes, perhaps prints, but doesn't return",
        message="Your function comes to its end without handing anything back, so its caller gets "
        "None. Printing a result shows it to you; only one statement gives it to the caller.",
        source="def softmax(x):\n    pass\n",
    ),
)

MISCONCEPTIONS = (*WRONG_AXIS, *WRONG_SHIFT, *WRONG_FORMULA)
