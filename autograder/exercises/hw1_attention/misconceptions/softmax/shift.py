"""What learners get wrong in softmax: shift."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="softmax-no-shift",
        description="Exponentiates the scores as they are: overflows at 1000, 0/0 at -1000",
        message="Scores around 1000 are still that large when they reach np.exp, and what comes "
        "out doesn't fit into a float64, so you end with nan. Softmax stays the same when all "
        "scores of a row move by the same amount: to where should they move?",
        edits={"x - largest": "x"},
    ),
    Variant(
        tag="softmax-unshifted-below-a-logarithm",
        description="Subtracts the logarithm of the sum of exponentials of unmoved scores",
        message="The sum whose logarithm you take is made of exponentials of the scores as they "
        "are: it is infinite for scores around 1000, and 0 around -1000. Softmax stays the same "
        "when all scores of a row move by the same amount: to where should they move first?",
        edits={"x - largest": "x", "powers / total": "np.exp(x - np.log(total))"},
    ),
    Variant(
        tag="softmax-one-shift-for-all",
        description="Subtracts one maximum for the whole array, so rows on low levels vanish",
        message="You move every row by the same amount, such as the largest score of the whole "
        "array. A row that lies far below it becomes all zeros, and those can't be shared out. "
        "Each row is normalised on its own, and should be moved on its own.",
        edits={"x - largest": "x - x.max()"},
    ),
    Variant(
        tag="softmax-shift-not-by-largest",
        description="Subtracts the smallest score instead of the largest",
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
        edits={"x.max(": "np.abs(np.where(np.isinf(x), 0, x)).max("},
    ),
    Variant(
        tag="softmax-shift-no-less-than-zero",
        description="Shifts by the largest score, but by no less than 0: low rows vanish",
        message="Rows around 1000 you bring down, but a row that lies far below 0 you leave there, "
        "so all its exponentials are 0, and zero divided by zero is nan. Your shift is never less "
        "than 0. Which number brings the top of any row to 0?",
        edits={
            "x.max(axis=-1, keepdims=True)": "np.maximum(x.max(axis=-1, keepdims=True), 0)",
        },
        pairs=False,  # with another wrong shift it leaves the scores as they are
    ),
    Variant(
        tag="softmax-shift-by-mean",
        description="Subtracts the mean, of the row or of all scores, instead of the largest score",
        message="You move the scores by a mean. Many of them lie above it, and in a row that "
        "reaches from -1000 to 1000 so far above that np.exp still overflows; where one is -inf, "
        "the mean is too. In each row, one score must come to lie at 0, so that none is above it.",
        edits={"x.max(": "x.mean("},
    ),
    Variant(
        tag="softmax-shift-by-the-first",
        description="Subtracts the first score of each row instead of the largest",
        message="You move each row by its first score. Where that is the largest, all is well. "
        "Others may lie above it, and in a row that begins with 0 and goes on to 1000 so far above "
        "that np.exp overflows; where it is -inf, no numbers are left. In each row, one score must "
        "come to lie at 0, so that none is above it.",
        edits={"x.max(axis=-1, keepdims=True)": "x[..., :1]"},
    ),
    Variant(
        tag="softmax-shift-fixed",
        description="Subtracts the same number, such as 990, from all scores: other rows vanish",
        message="You move every row by the same fixed number. It saves scores near 1000, and loses "
        "rows that lie far below: every exponential is 0 there, and 0 / 0 is nan. Which number of "
        "the row itself would always do?",
        edits={"x - largest": "x - 990"},
    ),
    Variant(
        tag="softmax-shift-by-finite-mean",
        description="Subtracts the mean of the finite scores instead of the largest",
        message="You move each row by its mean. Half of the scores lie above it, and in a row that "
        "reaches from -1000 to 1000 they lie so far above that np.exp still overflows. One score "
        "must come to lie at 0, so that none is above it.",
        edits={"x.max(": "np.where(np.isinf(x), 0, x).mean("},
    ),
    Variant(
        tag="softmax-epsilon-instead-of-shift",
        description="Adds a tiny number to the sum instead of shifting the scores",
        message="You add a tiny number to the sum, which saves you from dividing by 0 and from "
        "nothing else: scores around 1000 overflow in np.exp all the same, and a row around -1000 "
        "gets no shares at all. The remedy comes before np.exp sees the scores.",
        edits={"x - largest": "x", "return powers / total": "return powers / (total + 1e-8)"},
    ),
    Variant(
        tag="softmax-nan-hidden",
        description="Lets the exponentials overflow and replaces nan by 0 afterwards",
        message="You let np.exp overflow and write 0 wherever nan came out. Then the largest score "
        "gets nothing, and no share is left to anybody. A number that was lost can't be repaired "
        "afterwards. The remedy comes before np.exp sees the scores.",
        edits={"x - largest": "x", "return powers / total": "return np.nan_to_num(powers / total)"},
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
        tag="softmax-clipped-at-fifty",
        description="Clips the scores to 50 on both sides instead of shifting them",
        message="You cut the scores off long before np.exp overflows, so 60 and 100 become the "
        "same score and get the same share. Moving all scores of a row by the same amount keeps "
        "their differences, and those are all that softmax depends on.",
        edits={"x - largest": "np.clip(x, -50, 50)"},
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

EXAMPLES = (
    WorkedExample(
        """
Two scores, 1000 and 999. e to the power of 1000 has 435 digits, and a float64 ends near 309. But
only the difference between the scores counts: here it is 1, as it is for 0 and −1.

So both move down by the same amount, until the higher one lies at 0: 1000 − 1000 = 0 and
999 − 1000 = −1.

Now e^0 = 1 and e^−1 = 0.368, which sum to 1 + 0.368 = 1.368.

The shares are 1/1.368 = 0.731 and 0.368/1.368 = 0.269.

The same move is made above the line and below it, for all scores of the row. What does your
exponential get to see?""",
        "softmax(np.array([1000.0, 999.0]))",
        [0.731059, 0.268941],
    ),
    WorkedExample(
        """
Two rows on very different levels: 1000 and 999, then −1000 and −999. In both, the scores differ
by 1, so both rows hold the same two shares.

The first row has to come down: 1000 − 1000 = 0 and 999 − 1000 = −1.

The second has to come up, since its highest score is −999: −1000 + 999 = −1 and −999 + 999 = 0.

From there on they are alike: e^0 = 1 and e^−1 = 0.368, with the sum 1 + 0.368 = 1.368, so the
shares are 1/1.368 = 0.731 and 0.368/1.368 = 0.269.

Had the second row been moved down as well, every exponential in it would be 0. How far does each
of your rows move, and in which direction?""",
        "softmax(np.array([[1000.0, 999.0], [-1000.0, -999.0]]))",
        [[0.731059, 0.268941], [0.268941, 0.731059]],
    ),
    WorkedExample(
        """
One row that reaches far in both directions: −1000 and 1000. Something must be subtracted from
both scores, so that neither is too large for an exponential.

Their mean is 0, and subtracting it changes nothing: 1000 stays 1000, and e to that power doesn't
fit into a float64.

Subtracting the highest score leaves 1000 − 1000 = 0 and −1000 − 1000 = −2000. Now e^0 = 1, and e
to the power of −2000 is so small that it counts as 0, which does no harm.

The shares are 0/1 = 0 and 1/1 = 1.

A number far below 0 is harmless and one far above isn't. Which of your numbers ends above 0?""",
        "softmax(np.array([-1000.0, 1000.0]))",
        [0.0, 1.0],
    ),
)
