"""What learners get wrong in worked_example: weights."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import TOY

MISCONCEPTIONS = (
    Variant(
        tag="example-later-tokens-without-weight",
        description="Gives later tokens no weight, beside scores that are right",
        message="In your `weights`, the tokens behind the one that asks get nothing, so it looks "
        "only at itself and at what stands before it. That is for a decoder, which must not look "
        "ahead; here nobody is hidden. What happens to your scores on their way to softmax?",
        edits={
            "    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))": (
                "    seen = np.where(np.arange(len(X)) <= token, scores, -np.inf)\n"
                "    powers = np.exp(seen - seen.max(axis=-1, keepdims=True))"
            )
        },
    ),
    *(
        Variant(
            tag=f"example-no-weight-for-itself{alone}",
            description=f"Hides the token from itself by {number}, beside scores that are right",
            message=f"The token gives itself no weight{unless}: the others share its attention. "
            "Nothing in equation 1 forbids it to look at itself, and its own value is often what "
            "it needs most. What happens to your scores on their way to softmax?",
            edits={
                "    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))": (
                    f"    seen = np.where(np.arange(len(X)) == token, {number}, scores)\n"
                    "    powers = np.exp(seen - seen.max(axis=-1, keepdims=True))"
                )
            },
        )
        for alone, number, unless in (
            ("", "-np.inf", ""),
            ("-but-alone", "-1e9", ", unless it is alone"),
        )
    ),
    Variant(
        tag="example-no-softmax",
        description="Uses the scores as weights",
        message="Your `weights` are the scores once more. Weights are positive and sum to 1. Part "
        "1 has a function that turns any scores into such proportions.",
        edits={"weights = powers / powers.sum(axis=-1, keepdims=True)": "weights = scores"},
    ),
    Variant(
        tag="example-scores-over-their-sum",
        description="Divides the scores by their sum, without exponentials",
        message="You divide the scores by their sum. That sums to 1, but a negative score gets a "
        "negative weight, and with scores like those of the table nobody stands out. Softmax does "
        "something to each score before it divides.",
        edits={
            "weights = powers / powers.sum(axis=-1, keepdims=True)": "weights = "
            "scores / scores.sum(axis=-1, keepdims=True)"
        },
    ),
    Variant(
        tag="example-winner-takes-all",
        description="Gives all the weight to the largest score",
        message="You give everything to the largest score. In the notebook's example it comes out "
        "so, since the scores lie a thousand apart; between scores that are closer, softmax "
        "shares. Let it decide.",
        edits={
            "weights = powers / powers.sum(axis=-1, keepdims=True)": "weights = np.where("
            "scores == scores.max(axis=-1, keepdims=True), 1.0, 0.0)"
        },
    ),
    Variant(
        tag="example-weights-all-one",
        description="Takes softmax along an axis of length 1, so every weight is 1",
        message="Each of your `weights` is 1, whatever the scores are, so together they are more "
        "than 1. Softmax shares out 1 along one axis, and that is what a score gets that is alone "
        "on it. Which shape do your scores have where softmax meets them, and along which axis do "
        "the tokens lie?",
        edits={"powers / powers.sum(axis=-1, keepdims=True)": "np.ones_like(scores)"},
    ),
    Variant(
        tag="example-small-weights-cut-off",
        description="Sets weights below a threshold to 0",
        message="A score far below the highest gets a small weight from softmax, and in your "
        "`weights` it gets exactly 0. Where many tokens fit badly, what is missing adds up. Which "
        "of your steps takes little for nothing?",
        edits={
            "    context =": "    weights = np.where(weights < 1e-2, 0, weights)\n    context ="
        },
    ),
    Variant(
        tag="example-softmax-unstable",
        description="Exponentiates the scores as they are: overflows for large ones",
        message="Scores as large as those of the table overflow in np.exp and leave nan. In part 1 "
        "you found a shift that leaves softmax as it is and keeps the exponents harmless; here it "
        "is needed as well.",
        edits={"scores - scores.max(axis=-1, keepdims=True)": "scores"},
    ),
    Variant(
        tag="example-weights-from-unscaled-scores",
        description="Returns scaled scores, but takes softmax of the unscaled ones",
        message="Your `scores` are scaled, but your weights come from those before the scaling, "
        "and so are too sharp. Softmax should see what you return: which variable do you hand to "
        "it?",
        edits={
            "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))": (
                "bare = query @ keys.T\n    powers = np.exp(bare - bare.max())"
            )
        },
    ),
    Variant(
        tag="example-weights-scaled-once-more",
        description="Divides the scores once more before softmax",
        message="On their way into softmax your `scores` are divided once "
        "more, so the weights come out too even. In the table the division belongs to one row "
        "only.",
        edits={
            "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))": (
                "powers = np.exp((scores - scores.max()) / np.sqrt(d_k))"
            )
        },
    ),
    Variant(
        tag="example-weights-not-normalised",
        description="Takes the exponentials as weights without dividing by their sum",
        message="Your `weights` are exponentials that nobody divided by their sum. To be an "
        "average, the context needs proportions, and half of softmax is missing.",
        edits={"powers / powers.sum(axis=-1, keepdims=True)": "powers"},
    ),
    Variant(
        tag="example-weights-bare-exponentials",
        description="Takes np.exp of the scores as weights: overflows, and no sum",
        message="Your `weights` are the exponentials of the scores, just as they are. They don't "
        "sum to 1, and with scores like those of the table they overflow. Your softmax of part 1 "
        "does both things that are missing.",
        edits={
            "scores - scores.max(axis=-1, keepdims=True)": "scores",
            "powers / powers.sum(axis=-1, keepdims=True)": "powers",
        },
    ),
    Variant(
        tag="example-weights-rounded",
        description="Rounds the weights to three decimals",
        message="Your `weights` are rounded, so small ones vanish and they no longer sum to 1. In "
        "the table they look round, since the scores lie a thousand apart. Rounding is for "
        "printing.",
        edits={
            "powers / powers.sum(axis=-1, keepdims=True)": (
                "(powers / powers.sum(axis=-1, keepdims=True)).round(3)"
            )
        },
    ),
    Variant(
        tag="example-softmax-twice",
        description="Applies softmax twice",
        message="Your `weights` went through softmax twice. The second time its scores are shares "
        "between 0 and 1, which lie close together, so the weights come out nearly even. Which of "
        "the two is one too many?",
        edits={
            "    context =": (
                "    powers = np.exp(weights)\n"
                "    weights = powers / powers.sum(axis=-1, keepdims=True)\n"
                "    context ="
            )
        },
    ),
    Variant(
        tag="example-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="Your `scores` are the bare dot products, and your `weights` are divided, so they "
        "no longer sum to 1. Look where the bracket of softmax closes in equation 1.",
        edits={
            " / np.sqrt(d_k)": "",
            "    context =": "    weights = weights / np.sqrt(d_k)\n    context =",
        },
    ),
    Variant(
        tag="example-weights-of-a-column",
        description="Takes the token's column of all weights instead of its row",
        message="Your `weights` are a column of the matrix of all weights: how much each token "
        "looks at this one. They don't sum to 1. You want how much this one looks at each: do "
        "queries number the rows or the columns?",
        edits={
            "weights = powers / powers.sum(axis=-1, keepdims=True)": (
                "table = X @ W_Q @ keys.T / np.sqrt(d_k)\n"
                "    table = np.exp(table - table.max(axis=-1, keepdims=True))\n"
                "    weights = (table / table.sum(axis=-1, keepdims=True))[:, token]"
            )
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens, and the scores of the one that we follow are 1.1 and 0, already divided by the root of
d_k. Here 1.1 stands for the number to which e has to be raised to give 3.

Softmax makes weights of these very scores. e^1.1 = 3 and e^0 = 1, and together they are
3 + 1 = 4. So the weights are 3/4 = 0.75 and 1/4 = 0.25.

Nothing is scaled again on the way, neither before softmax nor after it, and the weights sum to 1.

If yours sum to 1 and are more extreme, look for scores that haven't been divided; if they are
more even, something was done twice. If they don't sum to 1, which step of softmax is missing?""",
        TOY + 'steps["weights"]',
        [0.75, 0.25],
    ),
    WorkedExample(
        """
The same two tokens with a query that is a thousand times as long, so the scores are about 1099
and 0. e to the power of 1099 is too large for a float64.

But softmax stays the same when both scores move by the same amount. Moved down until the higher
one lies at 0, they are 1099 − 1099 = 0 and 0 − 1099 = −1099.

Now e^0 = 1, and e to the power of −1099 is so small that it counts as 0. The sum is 1 + 0 = 1,
and the weights are 1/1 = 1 and 0/1 = 0: the token looks at the first one alone.

In the notebook's own example, the scores are 2505.5 and 3574. What does your softmax do to them
before it takes exponentials?""",
        TOY.replace("W_Q, W_K, W_V, 1)", "1000 * W_Q, W_K, W_V, 1)") + 'steps["weights"]',
        [1.0, 0.0],
    ),
)
