"""What learners get wrong in softmax: formula."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="softmax-keepdims-lost",
        description="Forgets keepdims=True: crashes or divides rows by each other's sums",
        message="A reduction removes the axis that it runs along: the sums of a (3, 5) matrix have "
        "shape (3,), and NumPy lines that up with the columns. Mostly it then crashes; in a square "
        "matrix it silently gives each row the numbers of other rows. One argument keeps the axis "
        "in place, with length 1.",
        edits={", keepdims=True": ""},
    ),
    Variant(
        tag="softmax-keepdims-lost-in-the-sum",
        description="Forgets keepdims=True in the sum alone",
        message="Your sum removes the axis that it runs along: the sums of a (3, 5) matrix have "
        "shape (3,), and NumPy lines that up with the columns. Mostly it then crashes; in a square "
        "matrix it silently divides each row by the sums of other rows. One argument keeps the "
        "axis in place, with length 1.",
        edits={"powers.sum(axis=-1, keepdims=True)": "powers.sum(axis=-1)"},
    ),
    Variant(
        tag="softmax-keepdims-lost-in-the-maximum",
        description="Forgets keepdims=True in the maximum alone",
        message="Your maximum removes the axis that it runs along: the largest scores of a (3, 5) "
        "matrix have shape (3,), and NumPy lines that up with the columns. Mostly it then crashes; "
        "in a square matrix each column is silently moved by the maximum of a row. One argument "
        "keeps the axis in place, with length 1.",
        edits={"x.max(axis=-1, keepdims=True)": "x.max(axis=-1)"},
    ),
    Variant(
        tag="softmax-not-normalised",
        description="Returns the exponentials without dividing by their sum",
        message="What you return is in the right proportions, but a row of it doesn't sum to 1, as "
        "what stands above the line of the formula doesn't. The formula has something below that "
        "line, too.",
        edits={"return powers / total": "return powers"},
    ),
    Variant(
        tag="softmax-no-exponential",
        description="Divides the scores themselves by their sum",
        message="You share out the scores themselves. Then a negative score gets a negative share, "
        "and scores that sum to 0 can't be divided at all. The formula does something to each "
        "score first, so that every share is positive.",
        edits={"np.exp(shifted)": "x"},
    ),
    Variant(
        tag="softmax-no-exponential-but-a-shift",
        description="Shares out how far each score lies above the lowest of its row",
        message="You share out how far each score lies above the lowest of its row, so the lowest "
        "gets nothing, and shares grow in step with the scores. The formula does something else to "
        "each score first: one more point of it multiplies a share, whatever the others are.",
        edits={"np.exp(shifted)": "x - x.min(axis=-1, keepdims=True)"},
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
        edits={"np.exp(shifted)": "10.0**shifted"},
    ),
    Variant(
        tag="softmax-e-cut-off",
        description="Writes e as 2.72",
        message="Your shares are nearly right: you wrote e as a number with two decimals, and the "
        "power makes the small slip grow with the score. NumPy knows e to the last digit, and has "
        "a function that raises it to a power.",
        edits={"np.exp(shifted)": "2.72**shifted"},
    ),
    Variant(
        tag="softmax-squares",
        description="Divides the squares of the scores by their sum",
        message="You share out the squares of the scores. They are positive, but -3 then counts as "
        "much as 3, and a score of 0 gets nothing at all. The formula makes scores positive in "
        "another way, which keeps their order.",
        edits={"np.exp(shifted)": "x**2"},
    ),
    Variant(
        tag="softmax-absolute-values",
        description="Exponentiates |x|: very negative scores count as large ones",
        message="You drop the sign of the scores, so -5 gets as large a share as 5. The "
        "exponential makes a negative score positive by itself: a small share, not a large one.",
        edits={"x - largest": "np.abs(x)"},
    ),
    Variant(
        tag="softmax-scores-halved",
        description="Divides the scores by 2, as a temperature does",
        message="Your shares come out too even, as if every score were half as large. A "
        "temperature does that, but the formula of this exercise has none. What happens to the "
        "scores on their way into the exponential?",
        edits={"np.exp(shifted)": "np.exp(shifted / 2)"},
    ),
    Variant(
        tag="softmax-last-score-not-counted",
        description="Leaves the last score out of the sum",
        message="Your sum leaves out the last score of each row, so the shares of a row sum to "
        "more than 1. Which entries does a slice that ends at -1 hold, or a loop that ends one "
        "step early?",
        edits={"powers.sum(": "powers[..., :-1].sum("},
    ),
    Variant(
        tag="softmax-small-shares-cut-off",
        description="Sets shares below a threshold to 0",
        message="A share that is small, but not 0, comes back as 0 in your result. Only a score of "
        "-inf gets nothing; all others have a share, be it one of ten thousand, and with the small "
        "ones missing a row no longer sums to 1. Which of your steps takes little for nothing?",
        edits={
            "return powers / total": "return np.where(powers < total / 1000, 0, powers / total)"
        },
    ),
    Variant(
        tag="softmax-sign-reversed",
        description="Exponentiates largest - x: the smallest score gets the largest share",
        message="Your largest share goes to the smallest score, as if the scores had the other "
        "sign: you subtract the scores from the largest, not the largest from the scores. When "
        "you move a list of numbers along the axis, which of the two stands in front?",
        edits={"x - largest": "largest - x"},
    ),
    Variant(
        tag="softmax-sign-reversed-and-moved-to-match",
        description="The softmax of -x, well shifted: the smallest score gets the largest share",
        message="Your largest share goes to the smallest score, as if the scores had the other "
        "sign. They are moved as they should be for that sign, so nothing overflows; but here a "
        "high score is a good one. Which step takes a minus to the scores, or stands the wrong way "
        "round?",
        edits={"x.max(": "x.min(", "x - largest": "largest - x"},
    ),
    Variant(
        tag="softmax-negative-exponent",
        description="Exponentiates -x: the smallest score gets the largest share",
        message="Your largest share goes to the smallest score, as if the scores had the other "
        "sign. Physicists write it so, for energies; here a high score is a good one. The formula "
        "has no minus.",
        edits={"x - largest": "-x"},
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
        tag="softmax-sigmoid-normalised",
        description="Divides the sigmoids of the scores by their sum",
        message="You share out sigmoids. A sigmoid is never above 1, so a score of 10 and one of "
        "1000 get the same share. The formula shares out something that grows with the score "
        "without end.",
        edits={"np.exp(shifted)": "1 / (1 + np.exp(-x))"},
    ),
    Variant(
        tag="softmax-winner-takes-all",
        description="Gives 1 to the largest score and 0 to the others",
        message="You give everything to the largest score. That would be a hard maximum; the soft "
        "one leaves the others a share, which shrinks as they fall behind.",
        edits={"return powers / total": "return np.where(x == largest, 1.0, 0.0)"},
    ),
    Variant(
        tag="softmax-logarithm",
        description="Returns the logarithms of the shares (log-softmax)",
        message="Your results are negative: they are the logarithms of the shares, which is what a "
        "loss function likes. Shares lie between 0 and 1. Which step of yours comes after the "
        "formula has ended?",
        edits={"return powers / total": "return shifted - np.log(total)"},
    ),
    Variant(
        tag="softmax-divided-by-the-mean",
        description="Divides the exponentials by their mean instead of their sum",
        message="Your shares of a row sum to the number of its scores, since you divide by the "
        "mean of the exponentials. A share is a part of the whole.",
        edits={"powers.sum(": "powers.mean("},
    ),
    Variant(
        tag="softmax-divided-by-the-norm",
        description="Divides the exponentials by their Euclidean norm instead of their sum",
        message="It is the *squares* of your shares that sum to 1: you divide by the length of the "
        "vector, as one does for directions. Shares themselves should sum to 1. What stands below "
        "the line of the formula?",
        edits={
            "powers.sum(axis=-1, keepdims=True)": "np.linalg.norm(powers, axis=-1, keepdims=True)"
        },
    ),
    Variant(
        tag="softmax-scores-squeezed",
        description="Divides the scores by the largest before exponentiating",
        message="You divide the scores by the largest of them. That keeps np.exp from overflowing, "
        "but it changes the differences between the scores, which are all that softmax depends on. "
        "Another operation makes numbers smaller and keeps their differences.",
        edits={"largest = x.max(": "top = np.max(x, ", "x - largest": "x / top"},
    ),
    Variant(
        tag="softmax-scores-squeezed-by-size",
        description="Divides the scores by the largest absolute value before exponentiating",
        message="You divide the scores by the largest size among them. That keeps np.exp from "
        "overflowing, but it changes the differences between the scores, which are all that "
        "softmax depends on. Another operation makes numbers smaller and keeps their differences.",
        edits={"largest = x.max(": "top = np.max(np.abs(x), ", "x - largest": "x / top"},
    ),
    Variant(
        tag="softmax-scores-squeezed-by-finite-size",
        description="Divides the scores by the largest finite absolute value",
        message="You divide the scores by the largest size among them. That keeps np.exp from "
        "overflowing, but it changes the differences between the scores, which are all that "
        "softmax depends on. Another operation makes numbers smaller and keeps their differences.",
        edits={
            "largest = x.max(": "top = np.max(np.abs(np.where(np.isinf(x), 0, x)), ",
            "x - largest": "x / top",
        },
    ),
    Variant(
        tag="softmax-scores-rescaled-to-one",
        description="Brings the scores to 0 … 1 (min-max) before exponentiating",
        message="You squeeze each row between 0 and 1 before np.exp. Then a lead of ten points and "
        "one of a tenth look the same. Softmax depends on the differences between the scores: "
        "which operation keeps those, and still brings the largest down?",
        edits={
            "x - largest": (
                "(x - x.min(axis=-1, keepdims=True)) / (largest - x.min(axis=-1, keepdims=True))"
            )
        },
    ),
    Variant(
        tag="softmax-scores-standardised",
        description="Standardises the scores (mean 0, deviation 1) before exponentiating",
        message="You standardise each row before np.exp. Then a lead of ten points and one of a "
        "tenth look the same, for both are measured by the row's own spread. Softmax depends on "
        "the differences as they are: what may you subtract, and may you divide?",
        edits={
            "x - largest": "(x - x.mean(axis=-1, keepdims=True)) / x.std(axis=-1, keepdims=True)"
        },
    ),
    Variant(
        tag="softmax-only-below-800-clipped",
        description="Clips large scores only (np.minimum), so they become equal",
        message="You cut large scores off where np.exp would overflow. Then 1000 and 999 get the "
        "same share, and a row around -1000 still vanishes. Moving all scores of a row by the same "
        "amount keeps their differences.",
        edits={"x - largest": "np.minimum(x, 700)"},
    ),
    Variant(
        tag="softmax-one-more-score",
        description="Adds 1 to the sum of exponentials, as of one more score of 0",
        message="Your shares of a row sum to less than 1, as if there were one more score, of 0, "
        "that takes a share as well. Some later models do that, so that attention may go nowhere; "
        "in this formula all is shared out. What stands below the line besides your exponentials?",
        edits={"powers / total": "powers / (total + np.exp(-largest))"},
    ),
    Variant(
        tag="softmax-input-changed",
        description="Writes into its argument (x -= ... or out=x)",
        message="Your function writes into the array that it is given, and the scores of its "
        "caller are lost. A sum or a difference makes a new array; an assignment to a part of x, "
        "or one that computes and assigns at once, writes into the old one. Which line of yours "
        "does?",
        edits={"    powers =": "    x -= largest\n    powers ="},
    ),
    *(
        Variant(
            tag=f"softmax-constant-added-{constant}",
            description=f"Adds {constant} to the sum",
            message="Your shares of a row sum to less than 1, as if a constant were added to the "
            "sum below the line. Once the highest score lies at 0, that sum is at least 1, so "
            "nothing has to be guarded from 0. What stands below the line besides exponentials?",
            edits={"powers / total": f"powers / (total + {constant})"},
        )
        for constant in ("1e-3", "1e-2", "1e-1", "1")
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Three scores are enough to follow the formula, and one of them is negative: −0.69, 0 and 0.92.

Above the line stands e to the power of each score: e^−0.69 = 0.5, e^0 = 1 and e^0.92 = 2.5. All
three are positive, whatever the sign of the score, and a higher score gets more.

Below the line stands what all three add up to: 0.5 + 1 + 2.5 = 4.

The shares are 0.5/4 = 0.125, 1/4 = 0.25 and 2.5/4 = 0.625, which sum to 1.

Divide your own numbers by each other: the second should be twice the first, and the third five
times the first. If they are, only the sum is off. If they aren't, what happened to the scores
before they were divided?""",
        "softmax(np.log([0.5, 1.0, 2.5]))",
        [0.125, 0.25, 0.625],
    ),
    WorkedExample(
        """
Two rows of two scores, chosen so that e to the power of them is 1 and 3 in the first row, and 1
and 1 in the second. There are two sums: 1 + 3 = 4 for the first row and 1 + 1 = 2 for the second.

Each row is divided by its own sum. The first becomes 1/4 = 0.25 and 3/4 = 0.75, the second
1/2 = 0.5 twice.

NumPy can get this wrong in silence. Sums of shape (2,) are laid along the columns, so that 4
divides all of the first column and 2 all of the second: 3 would meet 2. In which shape would the
4 stand beside the first row, and the 2 beside the second?""",
        "softmax(np.log([[1.0, 3.0], [1.0, 1.0]]))",
        [[0.25, 0.75], [0.5, 0.5]],
    ),
)
