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
    Variant(
        tag="softmax-sum-over-everything",
        description="Shifts each row by its own maximum, but divides by one sum for all",
        message="Each row is moved by its own largest score, yet all are divided by one sum, that "
        "of the whole array. So the rows together share a single 1, where each row should have one "
        "of its own. Which of your two reductions lacks an axis?",
        source=REFERENCE.replace("powers.sum(axis=-1, keepdims=True)", "powers.sum()"),
    ),
    Variant(
        tag="softmax-sum-over-first-axis",
        description="Shifts along the last axis, but sums along the first",
        message="Your shift runs along the rows and your sum down the columns. In a matrix the "
        "columns sum to 1 then, and in no column are all scores moved alike. Should the two "
        "reductions see the same scores?",
        source=REFERENCE.replace("powers.sum(axis=-1", "powers.sum(axis=0"),
    ),
    Variant(
        tag="softmax-sum-over-second-axis",
        description="Shifts along the last axis, but sums along axis=1",
        message="Your shift counts the axis from the end, your sum from the front. In a matrix the "
        "two mean the same; a vector has no axis 1, and with three axes it lies in the middle. "
        "Which way of counting always finds the last?",
        source=REFERENCE.replace("powers.sum(axis=-1", "powers.sum(axis=1"),
    ),
    Variant(
        tag="softmax-shape-read-as-a-matrix",
        description="Loops over x.shape[0] and x.shape[1]: vectors fail, three axes go wrong",
        message="You count rows by `x.shape[0]` and columns by `x.shape[1]`, which suits matrices "
        "alone: a vector has no second size, and with three axes it isn't the last. NumPy's "
        "reductions need no loop, only the axis: which one?",
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
        message="Python's own `max(x)` compares the entries of x two by two. For a vector that "
        "works; the entries of a matrix are rows, and which of two rows is larger has no answer. "
        "Which functions know how to reduce one axis and leave the others alone?",
        source="""\
def softmax(x):
    powers = [np.exp(score - max(x)) for score in x]
    return np.array([power / sum(powers) for power in powers])
""",
    ),
    Variant(
        tag="softmax-vectors-only-by-math",
        description="Applies math.exp to each entry: works for vectors alone",
        message="`math.exp` takes one number, and the entries of x are numbers only if x is a "
        "vector; in a matrix they are rows. Which library has functions that work on whole arrays, "
        "whatever their shape?",
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
        message="You put the axis that a reduction removes back by `[:, None]`. That is the right "
        "place in a matrix; a vector's maximum is a single number, which can't be indexed, and "
        "with three axes the new one lands in the middle. Can a reduction keep its axis itself?",
        source=REFERENCE.replace("axis=-1, keepdims=True)", "axis=-1)[:, None]"),
    ),
    Variant(
        tag="softmax-axis-put-back-by-reshape",
        description="Restores the lost axis by reshape(-1, 1), which suits matrices alone",
        message="You put the axis that a reduction removes back by `reshape(-1, 1)`, one column. "
        "That fits a matrix; a vector comes back with an axis too many, and with three axes the "
        "sizes clash. Can a reduction keep its axis itself, wherever it is?",
        source=REFERENCE.replace("axis=-1, keepdims=True)", "axis=-1).reshape(-1, 1)"),
    ),
    Variant(
        tag="softmax-vector-comes-back-as-a-matrix",
        description="Makes a vector a matrix of one row and returns it so",
        message="A vector of scores goes in, a matrix of one row comes out: you give it another "
        "axis so that your code for matrices works. The result should have the shape of the "
        "scores. Who takes the axis off again, or can you do without it?",
        source=REFERENCE.replace("    largest =", "    x = np.atleast_2d(x)\n    largest ="),
    ),
    Variant(
        tag="softmax-vector-made-a-matrix-second-axis",
        description="Makes a vector a matrix of one row, returns it so, and uses axis=1",
        message="You turn a vector into a matrix of one row and return that, an axis too many; and "
        "`axis=1` is not the last one when there are three. Which way of counting the axis works "
        "for any number of them, so that no shape needs mending?",
        source=REFERENCE.replace(
            "    largest =", "    x = x[None] if x.ndim == 1 else x\n    largest ="
        ).replace("axis=-1", "axis=1"),
    ),
    Variant(
        tag="softmax-leading-axes-flattened",
        description="Flattens the leading axes by reshape and doesn't bring them back",
        message="You lay all rows below each other by `reshape`, and so they come back: from a "
        "vector a matrix, from three axes two. The result should have the shape of the scores. "
        "Which line would restore it, and do you need the reshape at all?",
        source=REFERENCE.replace(
            "    largest =", "    x = x.reshape(-1, x.shape[-1])\n    largest ="
        ),
    ),
    Variant(
        tag="softmax-axis-asked-for",
        description="Takes the axis as a second argument without a default",
        message="Your function asks for two arguments, the scores and an axis, but it is called "
        "with the scores alone: `softmax(x)`. Here the axis is always the same one, so it needs "
        "no name in the brackets. Which is it?",
        source=REFERENCE.replace("softmax(x)", "softmax(x, axis)").replace("axis=-1", "axis=axis"),
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
        tag="softmax-negative-rows-not-raised",
        description="Shifts by the largest size, or by no less than 0: very negative rows vanish",
        message="Rows around 1000 you bring down, but rows around -1000 you don't bring up, so all "
        "their exponentials are 0. Do you take the largest size without its sign, or let the "
        "search for the largest begin at 0? Which number brings the top of any row to 0?",
        source=REFERENCE.replace("x.max(", "np.abs(np.where(np.isinf(x), 0, x)).max("),
    ),
    Variant(
        tag="softmax-shift-by-finite-mean",
        description="Subtracts the mean of the finite scores instead of the largest",
        message="You move each row by its mean. Half of the scores lie above it, and in a row that "
        "reaches from -1000 to 1000 they lie so far above that np.exp still overflows. Which "
        "score must come to lie at 0, so that none is above it?",
        source=REFERENCE.replace("x.max(", "np.where(np.isinf(x), 0, x).mean("),
    ),
    Variant(
        tag="softmax-shift-by-one-mean-for-all",
        description="Subtracts the mean of the whole array",
        message="You move all rows by the mean of the whole array. Scores may lie a thousand above "
        "it, where np.exp overflows, or a thousand below, where a whole row vanishes. Which score "
        "must come to lie at 0, and does each row have its own?",
        source=REFERENCE.replace("x.max(axis=-1, keepdims=True)", "x.mean()"),
    ),
    Variant(
        tag="softmax-epsilon-instead-of-shift",
        description="Adds a tiny number to the sum instead of shifting the scores",
        message="You add a tiny number to the sum, which saves you from dividing by 0 and from "
        "nothing else: scores around 1000 overflow in np.exp all the same, and a row around -1000 "
        "gets no shares at all. What could you do to the scores before np.exp sees them?",
        source=REFERENCE.replace("x - largest", "x").replace(
            "return powers / total", "return powers / (total + 1e-8)"
        ),
    ),
    Variant(
        tag="softmax-nan-hidden",
        description="Lets the exponentials overflow and replaces nan by 0 afterwards",
        message="You let np.exp overflow and write 0 wherever nan came out. Then the largest score "
        "gets nothing, and no share is left to anybody. A number that was lost can't be repaired "
        "afterwards: what could you do to the scores first?",
        source=REFERENCE.replace("x - largest", "x").replace(
            "return powers / total", "return np.nan_to_num(powers / total)"
        ),
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
        tag="softmax-powers-of-ten",
        description="Uses powers of 10 instead of e",
        message="One more point of score makes a share of yours ten times as large, where it "
        "should be about 2.7 times, so the largest score gets nearly everything. Which number does "
        "the formula raise to the power of the score?",
        source=REFERENCE.replace("np.exp(shifted)", "10.0**shifted"),
    ),
    Variant(
        tag="softmax-e-cut-off",
        description="Writes e as 2.72",
        message="Your shares are nearly right: you wrote e as a number with two decimals, "
        "and the power makes the small slip grow with the score. NumPy knows e to the "
        "last digit: which of its functions raises it to a power?",
        source=REFERENCE.replace("np.exp(shifted)", "2.72**shifted"),
    ),
    Variant(
        tag="softmax-sign-reversed",
        description="Exponentiates largest - x: the smallest score gets the largest share",
        message="Your largest share goes to the smallest score, as if the scores had the other "
        "sign: you subtract the scores from the largest, not the largest from the scores. When "
        "you move a list of numbers along the axis, which of the two stands in front?",
        source=REFERENCE.replace("x - largest", "largest - x"),
    ),
    Variant(
        tag="softmax-negative-exponent",
        description="Exponentiates -x: the smallest score gets the largest share",
        message="Your largest share goes to the smallest score: there is a minus in your exponent, "
        "as physicists have it for energies. Here a high score is a good one. Does the formula "
        "have a sign in front of it?",
        source=REFERENCE.replace("x - largest", "-x"),
    ),
    Variant(
        tag="softmax-sigmoid",
        description="Applies the logistic sigmoid to each score",
        message="You treat each score by itself, with the sigmoid. That answers yes or no for "
        "each; but the scores of a row compete, and their shares sum to 1. Below the line of the "
        "formula, whose exponentials are there besides a score's own?",
        source="def softmax(x):\n    return 1 / (1 + np.exp(-x))\n",
    ),
    Variant(
        tag="softmax-winner-takes-all",
        description="Gives 1 to the largest score and 0 to the others",
        message="You give everything to the largest score. That would be a hard maximum; the soft "
        "one leaves the others a share, which shrinks as they fall behind. What does the formula "
        "do with the scores that are not the largest?",
        source=REFERENCE.replace(
            "return powers / total", "return np.where(x == largest, 1.0, 0.0)"
        ),
    ),
    Variant(
        tag="softmax-logarithm",
        description="Returns the logarithms of the shares (log-softmax)",
        message="Your results are negative: they are the logarithms of the shares, which is what a "
        "loss function likes. Shares lie between 0 and 1. Which step of yours comes after the "
        "formula has ended?",
        source=REFERENCE.replace("return powers / total", "return shifted - np.log(total)"),
    ),
    Variant(
        tag="softmax-divided-by-the-mean",
        description="Divides the exponentials by their mean instead of their sum",
        message="Your shares of a row sum to the number of its scores, since you divide by the "
        "mean of the exponentials. A share is a part of the whole. Which reduction gives the "
        "whole?",
        source=REFERENCE.replace("powers.sum(", "powers.mean("),
    ),
    Variant(
        tag="softmax-divided-by-the-norm",
        description="Divides the exponentials by their Euclidean norm instead of their sum",
        message="It is the *squares* of your shares that sum to 1: you divide by the length of the "
        "vector, as one does for directions. Shares themselves should sum to 1. What stands below "
        "the line of the formula?",
        source=REFERENCE.replace(
            "powers.sum(axis=-1, keepdims=True)",
            "np.linalg.norm(powers, axis=-1, keepdims=True)",
        ),
    ),
    Variant(
        tag="softmax-scores-squeezed",
        description="Divides the scores by the largest before exponentiating",
        message="You divide the scores by the largest of them. That keeps np.exp from "
        "overflowing, but it changes the differences between the scores, which are all that "
        "softmax depends on. Which operation makes numbers smaller and keeps their differences?",
        source=REFERENCE.replace("x - largest", "x / largest"),
    ),
    Variant(
        tag="softmax-scores-rescaled-to-one",
        description="Brings the scores to 0 … 1 (min-max) before exponentiating",
        message="You squeeze each row between 0 and 1 before np.exp. Then a lead of ten points and "
        "one of a tenth look the same. Softmax depends on the differences between the scores: "
        "which operation keeps those, and still brings the largest down?",
        source=REFERENCE.replace(
            "x - largest",
            "(x - x.min(axis=-1, keepdims=True)) / (largest - x.min(axis=-1, keepdims=True))",
        ),
    ),
    Variant(
        tag="softmax-scores-standardised",
        description="Standardises the scores (mean 0, deviation 1) before exponentiating",
        message="You standardise each row before np.exp. Then a lead of ten points and one of a "
        "tenth look the same, for both are measured by the row's own spread. Softmax depends on "
        "the differences as they are: what may you subtract, and may you divide?",
        source=REFERENCE.replace(
            "x - largest", "(x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)"
        ),
    ),
    Variant(
        tag="softmax-only-below-800-clipped",
        description="Clips large scores only (np.minimum), so they become equal",
        message="You cut large scores off where np.exp would overflow. Then 1000 and 999 get the "
        "same share, and a row around -1000 still vanishes. Moving all scores of a row by the same "
        "amount keeps their differences: by which amount?",
        source=REFERENCE.replace("x - largest", "np.minimum(x, 700)"),
    ),
    Variant(
        tag="softmax-rounded",
        description="Rounds the shares to three decimals",
        message="You round the shares. For reading that is nice, but whoever goes on with them has "
        "lost the rest, and a row of many small shares no longer sums to 1. Who should round, and "
        "when?",
        source=REFERENCE.replace("return powers / total", "return np.round(powers / total, 3)"),
    ),
    Variant(
        tag="softmax-rounded-coarsely",
        description="Rounds the shares to two decimals",
        message="You round the shares to a few decimals. For reading that is nice, but whoever "
        "goes on with them has lost the rest, and a row of many small shares no longer sums to 1. "
        "Who should round, and when?",
        source=REFERENCE.replace("return powers / total", "return np.round(powers / total, 2)"),
    ),
    Variant(
        tag="softmax-plain-list",
        description="Returns a plain list (tolist) instead of an array",
        message="The numbers may be right, but they come back in a plain Python list. With a list "
        "nobody can go on computing: `* 2` repeats it. The scores came as an array, and so should "
        "the shares: which call makes a list of yours?",
        source=REFERENCE.replace("return powers / total", "return (powers / total).tolist()"),
    ),
    Variant(
        tag="softmax-list-of-rows",
        description="Returns a list of rows (list(...) or a list comprehension)",
        message="The numbers may be right, but they come back in a list of rows, not in one array. "
        "The scores came as an array, and so should the shares: what puts the pieces of a list "
        "back together, or can you do without taking them apart?",
        source=REFERENCE.replace("return powers / total", "return list(powers / total)"),
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
