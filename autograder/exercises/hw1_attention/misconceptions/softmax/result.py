"""What learners get wrong in softmax: shapes, types, and entries of -inf."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .axis import THREE_AXES

MISCONCEPTIONS = (
    Variant(
        tag="softmax-squeezed",
        description="Squeezes the result: axes of length 1 are lost",
        message="Where an axis has length 1, your result comes back without it: one row of scores "
        "goes in as a matrix and comes out as a vector. The result should have the shape of the "
        "scores. Which step of yours drops axes of length 1, and which axis was it meant for?",
        edits={"return powers / total": "return np.squeeze(powers / total)"},
    ),
    Variant(
        tag="softmax-half-precision",
        description="Computes in float16",
        message="Your numbers have about three digits, and large ones become infinite: that is "
        "what float16 can hold. The scores are float64. Where does your array get another type?",
        edits={"    largest =": "    x = x.astype(np.float16)\n    largest ="},
    ),
    Variant(
        tag="softmax-long-double",
        description="Exponentiates in long double instead of shifting",
        message="Scores around 1000 go well, but hundreds of thousands don't: a longer "
        "floating-point number only moves the limit, and some machines have none. Something can be "
        "done to the scores of a row first, so that no exponential is ever too large.",
        edits={"x - largest": "x.astype(np.longdouble)"},
    ),
    Variant(
        tag="softmax-hidden-not-quite-zero",
        description="Gives entries of -inf a tiny share instead of 0",
        message="An entry of -inf gets a share, be it a tiny one, so what should be hidden "
        "still leaks through. In NumPy the exponential of -inf is 0 without any help. What in your "
        "code lifts it above 0, or takes its place?",
        edits={"np.exp(shifted)": "np.exp(shifted) + 1e-12"},
    ),
    Variant(
        tag="softmax-hidden-made-finite",
        description="Replaces -inf by a finite number, such as -100",
        message="You put a finite number in the place of -inf. Beside scores that are lower still, "
        "the entry that should be hidden then gets everything. No number is low enough for every "
        "row: what happens if -inf stays as it is?",
        edits={"    largest =": "    x = np.where(np.isneginf(x), -100.0, x)\n    largest ="},
    ),
    Variant(
        tag="softmax-hidden-taken-for-zero",
        description="Replaces -inf by 0, an ordinary score",
        message="You put 0 in the place of -inf. Zero is a score like any other, and beside "
        "negative ones the highest: what should be hidden then gets most of it. What happens if "
        "-inf stays as it is?",
        edits={"    largest =": "    x = np.where(np.isneginf(x), 0.0, x)\n    largest ="},
    ),
    Variant(
        tag="softmax-zero-taken-for-hidden",
        description="Gives no share to a score that is exactly 0",
        message="A score of 0 gets no share in yours, as if it were hidden. But 0 is a score like "
        "any other, and e⁰ = 1; only -inf says that something is hidden. Which of your lines asks "
        "for 0?",
        edits={"powers = np.exp(shifted)": "powers = np.where(x == 0, 0, np.exp(shifted))"},
    ),
    Variant(
        tag="softmax-plain-list",
        description="Returns plain lists (tolist) instead of an array",
        message="The numbers may be right, but they come back in plain Python lists, where an "
        "array is asked for. Nobody can go on computing with those: twice a list is the list "
        "repeated. Where does your result become one?",
        edits={"return powers / total": "return (powers / total).tolist()"},
    ),
    Variant(
        tag="softmax-beyond-matrices-unchanged",
        description="Has branches for vectors and matrices; hands other arrays back as they are",
        message="Vectors and matrices go well, but an array of three axes comes back just as it "
        "was: none of your branches is for it. One line can serve every number of axes.",
        edits={"    largest =": "    if x.ndim > 2:\n        return x\n    largest ="},
    ),
    Variant(
        tag="softmax-beyond-matrices-nothing",
        description="Has branches for vectors and matrices; returns None for other arrays",
        message="Vectors and matrices go well, but for an array of three axes nothing comes back: "
        "none of your branches is for it. One line can serve every number of axes.",
        edits={"    largest =": "    if x.ndim > 2:\n        return None\n    largest ="},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Three scores: 0, minus infinity, and 0. Minus infinity says "never look here", which is how
attention hides a token. Nothing special has to be done for it. The highest score is 0, so the
move by the highest score changes nothing.

e^0 = 1 for the first and the third. For the second, e to the power of something ever lower comes
ever closer to 0, and NumPy returns exactly 0 for minus infinity.

The sum is 1 + 0 + 1 = 2, and the shares are 1/2 = 0.5, 0/2 = 0 and 1/2 = 0.5.

A hidden score leaves everything to the others, as if it weren't there. Is there a line of yours
that replaces infinite numbers?""",
        "softmax(np.array([0.0, -np.inf, 0.0]))",
        [0.5, 0.0, 0.5],
    ),
    THREE_AXES,
)
