"""What learners get wrong in self_attention: softmax."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-softmax-over-queries",
        description="Softmax along the queries' axis (axis=0) instead of the keys'",
        message="Your softmax runs down the columns, so the tokens compete for who may look at a "
        "token. Each token divides its own attention among all, and that is a row of the weights. "
        "If you call an earlier function for this step, look there first.",
        edits={"axis=1": "axis=0"},
    ),
    Variant(
        tag="self-attention-softmax-over-everything",
        description="One softmax over the whole matrix of scores",
        message="Your softmax runs over the whole matrix at once, so all tokens together divide "
        "one attention. Each token has its own to give away: which entries of the scores belong "
        "to one? If you call an earlier function for this step, look there first.",
        edits={"axis=1": "axis=None"},
    ),
    Variant(
        tag="self-attention-softmax-unstable",
        description="Exponentiates the scores as they are: overflows for large ones",
        message="Scores in the thousands give nan, because they reach np.exp at full size, where "
        "it overflows. In part 1 you found a shift that leaves softmax as it is and keeps the "
        "exponents harmless; here it is needed as well.",
        edits={"scores - largest": "scores"},
    ),
    Variant(
        tag="self-attention-softmax-one-shift-for-all",
        description="Moves all scores by one maximum, so tokens with low scores get nan",
        message="You move the scores of all tokens by the same amount, the largest of all. A token "
        "whose scores lie far below it is left with nothing but zeros to divide by.",
        edits={"scores - largest": "scores - scores.max()"},
    ),
    Variant(
        tag="self-attention-no-softmax",
        description="Uses the scores as weights",
        message="You use the scores themselves as weights. They may be negative, and a token's "
        "don't sum to 1, so the context is no average. Part 1 has a function that turns any scores "
        "into proportions.",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = scores"},
    ),
    Variant(
        tag="self-attention-causal-mask",
        description="Hides later tokens with a causal mask that nobody asked for",
        message="You let a token see only the tokens up to its own place. That is the mask of a "
        "decoder, which must not look ahead; here every token may look at every token.",
        edits={
            "    largest =": "    scores = np.where(np.tri(*scores.shape) > 0, scores, -np.inf)\n"
            "    largest ="
        },
    ),
    Variant(
        tag="self-attention-keepdims-lost",
        description="Forgets keepdims=True in maximum and sum",
        message="A sum or a maximum removes the axis that it runs along, and NumPy lines the (n,) "
        "numbers up with the columns. As the weights are square here, nothing crashes: each row "
        "silently gets the numbers of other rows. One argument keeps the axis in place, with "
        "length 1.",
        edits={", keepdims=True": ""},
    ),
    Variant(
        tag="self-attention-keepdims-lost-in-the-sum",
        description="Forgets keepdims=True in the sum alone",
        message="Your sum removes the axis that it runs along, and NumPy lines the (n,) sums up "
        "with the columns. As the weights are square here, nothing crashes: each row is silently "
        "divided by the sums of other rows. One argument keeps the axis in place, with length 1.",
        edits={"powers.sum(axis=1, keepdims=True)": "powers.sum(axis=1)"},
    ),
    Variant(
        tag="self-attention-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice, perhaps once in an earlier function and once here. The "
        "second time its scores are shares between 0 and 1, which lie close together, so the "
        "weights come out nearly even. Which of the two is one too many?",
        edits={
            "    context =": (
                "    powers = np.exp(weights)\n"
                "    weights = powers / powers.sum(axis=1, keepdims=True)\n"
                "    context ="
            )
        },
    ),
    Variant(
        tag="self-attention-softmax-on-the-weights",
        description="Returns softmax of the weights beside a right context",
        message="The weights that you return went through softmax once "
        "more, and came out nearly even. The earlier function hands you weights, not scores.",
        edits={
            "return weights,": (
                "return np.exp(weights) / np.exp(weights).sum(axis=1, keepdims=True),"
            )
        },
    ),
    Variant(
        tag="self-attention-projections-softmaxed",
        description="Applies softmax to queries and keys",
        message="Your queries and keys go through a softmax before they meet, so each is a list of "
        "shares, and all scores lie close together. In equation 1, softmax sees neither of the two "
        "by itself.",
        edits={
            "Q = X @ W_Q": (
                "Q = np.exp(X @ W_Q - (X @ W_Q).max(axis=1, keepdims=True))\n"
                "    Q = Q / Q.sum(axis=1, keepdims=True)"
            ),
            "K = X @ W_K": (
                "K = np.exp(X @ W_K - (X @ W_K).max(axis=1, keepdims=True))\n"
                "    K = K / K.sum(axis=1, keepdims=True)"
            ),
        },
    ),
    Variant(
        tag="self-attention-not-to-itself",
        description="Hides each token from itself",
        message="No token of yours may look at itself: the diagonal of your weights is 0. Nothing "
        "in equation 1 forbids it, and often a token's own value is what it needs most. Which line "
        "of yours does that?",
        edits={
            "    largest =": (
                "    scores = np.where(np.eye(len(X)) > 0, -np.inf, scores)\n    largest ="
            )
        },
    ),
    Variant(
        tag="self-attention-not-to-itself-but-alone",
        description="Hides each token from itself by a large negative number",
        message="No token of yours may look at itself, unless it is alone: the diagonal of your "
        "weights is 0. Nothing in equation 1 forbids it, and often a token's own value is what it "
        "needs most. Which line of yours does that?",
        edits={
            "    largest =": (
                "    scores = np.where(np.eye(len(X)) > 0, -1e9, scores)\n    largest ="
            )
        },
    ),
    Variant(
        tag="self-attention-not-normalised",
        description="Takes the exponentials as weights without dividing by their sum",
        message="Your weights are exponentials that nobody divided by their sum, so a token's "
        "don't add up to 1. To be an average, the context needs proportions, and half of softmax "
        "is missing.",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = powers"},
    ),
    Variant(
        tag="self-attention-sum-over-everything",
        description="Divides by one sum for the whole matrix",
        message="All your weights together sum to 1, where each token's should: its exponentials "
        "are divided by the sum over all tokens. Which entries of the scores belong to one token?",
        edits={"powers.sum(axis=1, keepdims=True)": "powers.sum()"},
    ),
    Variant(
        tag="self-attention-scores-over-their-sum",
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
        tag="self-attention-last-token-left-out",
        description="A loop stops one early: the last token's rows stay 0",
        message="Your last token has no weights and no context: its rows are still the zeros that "
        "you began with. A range ends *before* its second number. How many rounds does your loop "
        "make, and how many rows are there?",
        edits={"    context = weights @ V": "    weights[-1] = 0\n    context = weights @ V"},
    ),
    Variant(
        tag="self-attention-winner-takes-all",
        description="Gives all the weight to the best key (argmax)",
        message="Each token gives everything to the one that matches best. Where two match equally "
        "well or nearly so, softmax shares: it is a soft maximum, and the others keep a part. What "
        "stands where you look for the largest score?",
        edits={
            "powers / powers.sum(axis=1, keepdims=True)": "np.eye(len(X))[scores.argmax(axis=1)]"
        },
    ),
    Variant(
        tag="self-attention-small-weights-cut-off",
        description="Sets weights below a threshold to 0",
        message="A token that fits far worse than the best one gets a small weight from softmax, "
        "and in your result it gets exactly 0. In a long sentence, what is missing adds up. Which "
        "of your steps takes little for nothing?",
        edits={
            "    context =": "    weights = np.where(weights < 1e-2, 0, weights)\n    context ="
        },
    ),
)

LARGE = WorkedExample(
    """
Two tokens whose queries are large, 1000 and −1000, and whose keys are 1 and 0.999. The size of a
key is 1, so nothing has to be scaled.

The first token's scores are 1000 · 1 = 1000 and 1000 · 0.999 = 999. Those of the second are −1000
and −999.

Each token's scores are moved until the higher one lies at 0. The first gets 1000 − 1000 = 0 and
999 − 1000 = −1, the second −1000 + 999 = −1 and −999 + 999 = 0.

Then e^0 = 1 and e^−1 = 0.368, with the sum 1 + 0.368 = 1.368, and the weights are
1/1.368 = 0.731 and 0.368/1.368 = 0.269.

The softmax of part 1 does this for each row. Does yours? Or do you clip,
or move all rows alike?""",
    """\
X, W_Q = np.array([[1000.0, 1.0], [-1000.0, 0.999]]), np.array([[1.0], [0.0]])
W_K, W_V = np.array([[0.0], [1.0]]), np.array([[0.0], [4.0]])
self_attention(X, W_Q, W_K, W_V)[0]""",
    [[0.731059, 0.268941], [0.268941, 0.731059]],
)
EXAMPLES = (
    WorkedExample(
        """
Two tokens, whose queries are 1 and 0, and whose keys are 0 and 1.1. Here e^1.1 = 3, and keys have
one entry, so nothing has to be scaled.

The first token compares its query with every key, its own too: 1 · 0 = 0 and 1 · 1.1 = 1.1. So
e^0 = 1 and e^1.1 = 3, with the sum 1 + 3 = 4, and its weights are 1/4 = 0.25 and 3/4 = 0.75.

The second token's query is 0, so it finds both keys alike: 1/2 = 0.5 for each.

Every token divides one whole attention among all tokens, those before it, itself, and those after
it. Do your rows sum to 1, and does the first token look at the second?""",
        """\
X, W_Q = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[1.0], [-1.0]])
W_K, W_V = np.log([[1.0], [3.0]]), np.array([[4.0], [8.0]])
self_attention(X, W_Q, W_K, W_V)[0]""",
        [[0.25, 0.75], [0.5, 0.5]],
    ),
    LARGE,
)
