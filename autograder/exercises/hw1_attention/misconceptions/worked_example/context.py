"""What learners get wrong in worked_example: context."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import TOY

MISCONCEPTIONS = (
    Variant(
        tag="example-values-not-projected",
        description="Takes the tokens themselves for values, without W_V",
        message="Your `values` are the tokens' features as they are. What a token hands over is "
        "made of its features by a matrix of its own: which of the arguments have you not used?",
        edits={"values = X @ W_V": "values = X"},
    ),
    Variant(
        tag="example-context-of-keys",
        description="Averages the keys instead of the values",
        message="Your `context` averages the keys. A key is what a token is found by, and has done "
        "its work once the weights are there. What a token hands over when it is found isn't its "
        "key.",
        edits={"weights @ values": "weights @ keys"},
    ),
    Variant(
        tag="example-context-of-scores",
        description="Multiplies the values with the scores instead of the weights",
        message="You multiply the values with the scores, so your `context` is no average: the "
        "factors don't sum to 1. Which of your steps holds proportions?",
        edits={"weights @ values": "scores @ values"},
    ),
    Variant(
        tag="example-context-holds-the-residual",
        description="Adds the token's features to the context already",
        message="Your `context` already holds the token's own features. The table keeps two steps "
        "apart: first the average of the values alone, then the sum with the features.",
        edits={"weights @ values": "X[token] + weights @ values", "features + context": "context"},
    ),
    Variant(
        tag="example-values-from-w-k",
        description="Makes the values with W_K as well (a line copied and not changed)",
        message="Your values are made by the matrix of the keys. What a token is found by and "
        "what it hands over are two things. Read your three projections letter by letter.",
        edits={"values = X @ W_V": "values = X @ W_K"},
    ),
    Variant(
        tag="example-values-matrix-transposed",
        description="Multiplies X with the transposed W_V: the sizes fit, as W_V is square",
        message="Your values are made by W_V lying on its side. The matrix is square, so the sizes "
        "fit either way. A token is a row of X here: on which side of W_V does it stand, and does "
        "the matrix go into the product as it is?",
        edits={"values = X @ W_V": "values = X @ W_V.T"},
    ),
    Variant(
        tag="example-context-of-tokens",
        description="Averages the tokens' features instead of the values",
        message="Your `context` averages the tokens' features as they are. You made values of "
        "them: what a token hands over when it is found. Where do you use those?",
        edits={"weights @ values": "weights @ X"},
    ),
    Variant(
        tag="example-context-plain-mean",
        description="Averages all values alike: the weights are not used",
        message="Your `context` is the plain mean of all values, so it makes no difference where "
        "the token looks. The weights that you return should have a part in it.",
        edits={"weights @ values": "values.mean(axis=0)"},
    ),
    Variant(
        tag="example-context-a-mean",
        description="Divides the context by the number of tokens as well",
        message="Your `context` comes out too small, by the number of tokens: you average twice. "
        "The weights sum to 1 already, so the sum that they make is an average. What becomes of "
        "that sum?",
        edits={"weights @ values": "weights @ values / len(values)"},
    ),
    Variant(
        tag="example-context-rounded",
        description="Rounds the context to three decimals",
        message="Your `context` is rounded, and so is what comes after it. In the table it looks "
        "round, since one weight is 1 there. Rounding is for printing.",
        edits={"weights @ values": "(weights @ values).round(3)"},
    ),
    Variant(
        tag="example-context-of-the-best",
        description="Takes the value of the best key as context (argmax), beside right weights",
        message="Your `context` is the value of the token with the largest weight, and the other "
        "weights count for nothing. An average takes a part of every value, as large as its "
        "weight. What do you do with the weights before you reach for the values?",
        edits={"weights @ values": "values[weights.argmax(axis=-1)]"},
    ),
    Variant(
        tag="example-context-of-exponentials",
        description="Multiplies the values with the exponentials, before they are divided",
        message="Your `context` adds up the values times exponentials that nobody has divided by "
        "their sum yet, so it is no average. What should the values meet, the exponentials or what "
        "becomes of them?",
        edits={"weights @ values": "powers @ values"},
    ),
)

CONTEXT = WorkedExample(
    """
Two tokens, (0, 1) and (1, 0), and the weights of the one that we follow are 0.75 and 0.25. Now
look at what the tokens hand over, which is made by W_V and by nothing else.

W_V turns (0, 1) into the value (0, 8) and (1, 0) into the value (4, 0).

The context is the average of the values by the weights, column by column:
0.75 · 0 + 0.25 · 4 = 1 in the first, and 0.75 · 8 + 0.25 · 0 = 6 in the second. So it is (1, 6).

Each token takes part, also the one that asks, and each in proportion to its weight. Neither
scores nor features are in it yet: the features join in the next step. Compare your `values` with
these first. If they agree, what do you multiply them with?""",
    TOY + 'steps["context"]',
    [1.0, 6.0],
)
EXAMPLES = (CONTEXT,)
