"""What learners get wrong in scaled_dot_product_attention: softmax."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="attention-softmax-over-queries",
        description="Softmax along the queries' axis (axis=0) instead of the keys'",
        message="Your softmax runs down the columns of the scores, so the queries compete for "
        "each key. It is each query that divides its attention among the keys: along which axis "
        "of the (n, m) scores do the keys lie? If you call your own softmax, look there first.",
        edits={"axis=1": "axis=0"},
    ),
    Variant(
        tag="attention-softmax-over-queries-where-square",
        description="Finds softmax's axis by its length: with n = m it is the queries'",
        message="With as many queries as keys your softmax runs down the columns, so the queries "
        "compete for each key; with other sizes it runs along the rows, as it should. A length "
        "doesn't say what an axis stands for, but its place does: along which axis of the (n, m) "
        "scores do the keys lie?",
        edits={"axis=1": "axis=scores.shape.index(len(K))"},
    ),
    Variant(
        tag="attention-softmax-over-everything",
        description="One softmax over the whole matrix of scores",
        message="Your softmax runs over the whole matrix at once, so all queries together divide "
        "one attention. Each query has its own to give away: which entries of the scores belong "
        "to one query? If you call your own softmax, look there first.",
        edits={"axis=1": "axis=None"},
    ),
    Variant(
        tag="attention-softmax-unstable",
        description="Exponentiates the scores as they are: overflows for large ones",
        message="Scores in the thousands give nan, because they reach np.exp at full size, where "
        "it overflows. In part 1 you found a shift that leaves softmax as it is and keeps the "
        "exponents harmless; here it is needed as well.",
        edits={"scores - largest": "scores"},
    ),
    Variant(
        tag="attention-softmax-one-shift-for-all",
        description="Moves all scores by one maximum, so queries with low scores get nan",
        message="You move the scores of all queries by the same amount, the largest of all. A "
        "query whose scores lie far below it is left with nothing but zeros to divide by.",
        edits={"scores - largest": "scores - scores.max()"},
    ),
    Variant(
        tag="attention-no-softmax",
        description="Uses the scores as weights",
        message="You use the scores themselves as weights. They may be negative, and a query's "
        "don't sum to 1, so the context is no average. Part 1 has a function that turns any scores "
        "into proportions.",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = scores"},
    ),
    Variant(
        tag="attention-not-normalised",
        description="Takes the exponentials as weights without dividing by their sum",
        message="Your weights are exponentials that nobody divided by their sum, so a query's "
        "don't add up to 1. To be an average, the context needs proportions, and half of softmax "
        "is missing.",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = powers"},
    ),
    Variant(
        tag="attention-causal-mask",
        description="Hides later keys with a causal mask that nobody asked for",
        message="You let a query see only the keys up to its own place. That is the mask of "
        "a decoder, which must not look ahead; equation 1 has none, and every query "
        "may look at every key.",
        edits={
            "    largest =": "    scores = np.where(np.tri(*scores.shape) > 0, scores, -np.inf)\n"
            "    largest ="
        },
    ),
    Variant(
        tag="attention-causal-mask-where-square",
        description="Hides later keys with a causal mask where there are as many keys as queries",
        message="Where there are as many queries as keys, you let a query see only the keys up to "
        "its own place. That is the mask of a decoder, which must not look ahead; equation 1 has "
        "none, and two equal numbers are no reason for one.",
        edits={
            "    largest =": "    if len(Q) == len(K):\n"
            "        scores = np.where(np.tri(len(Q)) > 0, scores, -np.inf)\n"
            "    largest ="
        },
    ),
    Variant(
        tag="attention-keepdims-lost",
        description="Forgets keepdims=True in maximum and sum",
        message="A sum or a maximum removes the axis that it runs along, and NumPy then lines the "
        "(n,) numbers up with the columns. Mostly it crashes; with as many queries as keys, each "
        "row silently gets the numbers of other rows. One argument keeps the axis in place, with "
        "length 1.",
        edits={", keepdims=True": ""},
    ),
    Variant(
        tag="attention-keepdims-lost-in-the-sum",
        description="Forgets keepdims=True in the sum alone",
        message="Your sum removes the axis that it runs along, and NumPy then lines the (n,) sums "
        "up with the columns. Mostly it crashes; with as many queries as keys, each row is "
        "silently divided by the sums of other rows. One argument keeps the axis in place, with "
        "length 1.",
        edits={"powers.sum(axis=1, keepdims=True)": "powers.sum(axis=1)"},
    ),
    Variant(
        tag="attention-keepdims-lost-and-unstable",
        description="Forgets keepdims=True in the sum, and doesn't shift the scores",
        message="Two things at once: the sum loses its axis, so that rows are divided by the sums "
        "of other rows (what keeps the axis, with length 1?); and scores in the thousands reach "
        "np.exp at full size, where it overflows. Does the softmax of part 1 do better?",
        edits={
            "scores - largest": "scores",
            "powers.sum(axis=1, keepdims=True)": "powers.sum(axis=1)",
        },
    ),
    Variant(
        tag="attention-nan-hidden",
        description="Lets the exponentials overflow and replaces nan by 0",
        message="You let np.exp overflow and write 0 wherever nan came out. Then the key that "
        "matches best gets nothing at all. A number that was lost can't be repaired afterwards: "
        "what did your softmax of part 1 do to the scores first?",
        edits={
            "scores - largest": "scores",
            "powers / powers.sum(axis=1, keepdims=True)": (
                "np.nan_to_num(powers / powers.sum(axis=1, keepdims=True))"
            ),
        },
    ),
    Variant(
        tag="attention-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice. The second time its scores are shares between 0 and 1, "
        "which lie close together, so the weights come out nearly even. Once is enough: which of "
        "the two belongs to equation 1?",
        edits={
            "    context =": (
                "    powers = np.exp(weights)\n"
                "    weights = powers / powers.sum(axis=1, keepdims=True)\n"
                "    context ="
            )
        },
    ),
    Variant(
        tag="attention-scores-negated",
        description="Gives the most weight to the key that matches worst",
        message="The key that matches a query worst gets the most of its attention, as if the "
        "scores had the other sign. A dot product is large where two vectors agree: is there a "
        "minus on its way into your exponential?",
        edits={"scores - largest": "scores.min(axis=1, keepdims=True) - scores"},
    ),
    Variant(
        tag="attention-last-query-left-out",
        description="A loop stops one early: the last query's rows stay 0",
        message="Your last query has no weights and no context: its rows are still the zeros that "
        "you began with. A range ends *before* its second number. How many rounds does your loop "
        "make, and how many rows are there?",
        edits={"    context = weights @ V": "    weights[-1] = 0\n    context = weights @ V"},
    ),
    Variant(
        tag="attention-winner-takes-all",
        description="Gives all the weight to the best key (argmax)",
        message="Each query gives everything to its best key. Where two keys match equally well "
        "or nearly so, softmax shares: it is a soft maximum, and the other keys keep a part. What "
        "stands where you look for the largest score?",
        edits={
            "powers / powers.sum(axis=1, keepdims=True)": "np.eye(len(K))[scores.argmax(axis=1)]"
        },
    ),
    Variant(
        tag="attention-uniform",
        description="Gives every key the same weight, whatever the scores",
        message="Every key gets the same weight, whatever the query asks, so the context is the "
        "plain mean of the values. What do you do with the products of queries and keys?",
        edits={"powers / powers.sum(axis=1, keepdims=True)": "np.ones_like(powers) / len(K)"},
    ),
    Variant(
        tag="attention-scores-over-their-sum",
        description="Divides the scores by their sum, without exponentials",
        message="You divide the scores by their sum. A negative score then gets a negative weight, "
        "and scores that sum to nearly 0 explode. Softmax does something to each score before it "
        "divides, so that all become positive.",
        edits={
            "powers / powers.sum(axis=1, keepdims=True)": (
                "scores / scores.sum(axis=1, keepdims=True)"
            )
        },
    ),
    Variant(
        tag="attention-sigmoid",
        description="Applies the sigmoid to each score",
        message="You treat each score by itself, with the sigmoid, so a query's weights don't sum "
        "to 1. But the keys compete for a query, so all scores of a row belong together.",
        edits={"powers / powers.sum(axis=1, keepdims=True)": "1 / (1 + np.exp(-scores))"},
    ),
    Variant(
        tag="attention-relu-normalised",
        description="Sets negative scores to 0 and divides by the sum",
        message="You drop negative scores and share out the rest as it is. A key that matches "
        "badly still has a right to a small share, and one that matches well to more than its part "
        "of the sum. Part 1 has a function that turns any scores into proportions.",
        edits={
            "powers / powers.sum(axis=1, keepdims=True)": (
                "np.maximum(scores, 0) / np.maximum(scores, 0).sum(axis=1, keepdims=True)"
            )
        },
    ),
    Variant(
        tag="attention-sum-over-everything",
        description="Divides by one sum for the whole matrix",
        message="All your weights together sum to 1, where each query's should: its exponentials "
        "are divided by the sum over all queries. Which entries of the scores belong to one query?",
        edits={"powers.sum(axis=1, keepdims=True)": "powers.sum()"},
    ),
    Variant(
        tag="attention-small-weights-cut-off",
        description="Sets weights below a threshold to 0",
        message="A key that fits far worse than the best one gets a small weight from softmax, and "
        "in your result it gets exactly 0. With a hundred such keys, what is missing adds up. "
        "Which of your steps takes little for nothing?",
        edits={
            "    context =": "    weights = np.where(weights < 1e-2, 0, weights)\n    context ="
        },
    ),
)

LARGE = WorkedExample(
    """
Two queries with large numbers, 1000 and −1000, meet two keys, 1 and 0.999. The size of a key is
1, so nothing has to be scaled.

The scores of the first query are 1000 · 1 = 1000 and 1000 · 0.999 = 999. Those of the second are
−1000 and −999.

Each query's scores are moved until the higher one lies at 0. The first gets 1000 − 1000 = 0 and
999 − 1000 = −1, the second −1000 + 999 = −1 and −999 + 999 = 0.

Then e^0 = 1 and e^−1 = 0.368, with the sum 1 + 0.368 = 1.368, and the weights are
1/1.368 = 0.731 and 0.368/1.368 = 0.269.

The softmax of part 1 does this for each row. Does yours, or do you clip, or hide nan?""",
    """\
Q, K, V = np.array([[1000.0], [-1000.0]]), np.array([[1.0], [0.999]]), np.array([[4.0], [0.0]])
scaled_dot_product_attention(Q, K, V)[0]""",
    [[0.731059, 0.268941], [0.268941, 0.731059]],
)
EXAMPLES = (
    WorkedExample(
        """
Two queries, 1 and 0, meet two keys, 1.1 and 0. Here 1.1 stands for the number to which e has to
be raised to give 3, and keys have one entry, so nothing has to be scaled.

The scores of the first query are 1 · 1.1 = 1.1 and 0; those of the second are 0 and 0.

Each query has one attention to divide among the keys. The first: e^1.1 = 3 and e^0 = 1, the sum
is 3 + 1 = 4, and the weights are 3/4 = 0.75 and 1/4 = 0.25.

The second finds both keys alike: 1/2 = 0.5 for each.

A row belongs to a query, a column to a key. Add up yours along the rows and down the columns:
where does each query's attention sum to 1?""",
        """\
Q, K, V = np.array([[1.0], [0.0]]), np.log([[3.0], [1.0]]), np.array([[4.0], [0.0]])
scaled_dot_product_attention(Q, K, V)[0]""",
        [[0.75, 0.25], [0.5, 0.5]],
    ),
    LARGE,
)
