"""What learners get wrong in worked_example: token."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .context import CONTEXT
from .reference import TOY

MISCONCEPTIONS = (
    Variant(
        tag="example-token-ignored",
        description="Follows the first token, whichever is asked for",
        message="You follow the first token, whichever one is asked for. The notebook's table is "
        "about token 0, but your function is told by an argument which row of X to follow.",
        edits={"X[token]": "X[0]"},
    ),
    Variant(
        tag="example-token-counted-from-one",
        description="Takes row token - 1",
        message="You follow the row before the one that is asked for. Here tokens are counted as "
        "NumPy counts rows.",
        edits={"X[token]": "X[token - 1]"},
    ),
    Variant(
        tag="example-only-its-own-value",
        description="Gives the context of the one token's value alone",
        message="Your `context` holds the token's own value and nothing of the others', though "
        "the weights are shared among all. An average adds up every value, each times its weight. "
        "Over which tokens does your sum run?",
        edits={"weights @ values": "weights[token] * values[token]"},
    ),
    Variant(
        tag="example-not-to-itself",
        description="Hides the token from itself",
        message="Your token may not look at itself: its own score is set to minus infinity. "
        "Nothing in the table forbids it, and often a token's own value is what it needs most. "
        "Which line does that?",
        edits={"    powers =": "    scores[token] = -np.inf\n    powers ="},
    ),
    Variant(
        tag="example-asked-by-all",
        description="Takes the token's column of the scores instead of its row",
        message="Your scores are those of all queries with this token's key: how much the "
        "*others* look at it. You want how much it looks at them. In the matrix of all scores, do "
        "queries number the rows or the columns?",
        edits={"scores = query @ keys.T": "scores = X @ W_Q @ keys[token]"},
    ),
    Variant(
        tag="example-cut-off-to-integers",
        description="Turns X and the matrices into integers",
        message="Your function makes integers of what it is given, so the decimals are cut off. In "
        "the notebook's example nothing is lost, for it has whole numbers only. Which line asks "
        "for integers?",
        edits={
            "    query =": "    X, W_Q, W_K, W_V = (m.astype(int) for m in (X, W_Q, W_K, W_V))\n"
            "    query ="
        },
    ),
    Variant(
        tag="example-query-of-the-first-token",
        description="Takes the query of the first token, and the residual of the one asked for",
        message="Your `query` is that of the first token, whichever one is asked for. Your "
        "function is told by an argument which row of X to follow: which row goes through W_Q?",
        edits={"query = X[token]": "query = X[0]"},
    ),
    Variant(
        tag="example-query-of-the-last-token",
        description="Takes the query of the last token, and the residual of the one asked for",
        message="Your `query` is that of the last token, whichever one is asked for. Your "
        "function is told by an argument which row of X to follow: which row goes through W_Q?",
        edits={"query = X[token]": "query = X[-1]"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens, (0, 1) and (1, 0). The argument `token` is 1, and Python counts from 0, so we follow
the second: (1, 0).

Its query comes from these features alone. W_Q has the rows (2, 0, 0, 0) and (0, 2, 0, 0). The
first feature takes 1 times the first row, and the second takes 0 times the second:
1 · 2 + 0 · 0 = 2, then 1 · 0 + 0 · 2 = 0, and zeros. So the query is (2, 0, 0, 0).

The query of the other token would be (0, 2, 0, 0). The whole table follows one token, from its
query to its output; only keys and values come from all. Which token does your query belong to?""",
        TOY + 'steps["query"]',
        [2.0, 0.0, 0.0, 0.0],
    ),
    CONTEXT,
)
