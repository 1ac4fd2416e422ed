"""What learners get wrong in worked_example: token."""

from __future__ import annotations

from autograder.testing import Variant

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
        tag="example-every-token-at-once",
        description="Computes the steps for all tokens instead of the one asked for",
        message="You take every token through the steps, so that matrices come back where vectors "
        "are asked for. Keys and values belong to all tokens, but there is one query only.",
        edits={"X[token]": "X"},
    ),
    Variant(
        tag="example-row-kept-as-a-matrix",
        description="Keeps the token as a matrix of one row, so every step has an axis too many",
        message="Your numbers may be right, but your vectors are matrices of one row. "
        "`X[token : token + 1]` and `X[[token]]` keep the axis along which tokens are counted, "
        "also when only one is left: which way of indexing drops it?",
        edits={"X[token]": "X[[token]]"},
    ),
    Variant(
        tag="example-only-its-own-key",
        description="Makes keys and values of the one token only",
        message="You make a key and a value of the one token only, so it can look at nothing but "
        "itself, and its weight is always 1. A token can look at the others as well.",
        edits={"keys = X @": "keys = X[[token]] @", "values = X @": "values = X[[token]] @"},
    ),
    Variant(
        tag="example-numbers-of-the-notebook",
        description="Computes with X_two and its matrices instead of the arguments",
        message="Your function computes with `X_two` and its matrices, whatever it is given. It "
        "should follow a token of any X: inside a function use its arguments.",
        edits={
            "    query =": "    X, W_Q, W_K, W_V = X_two, W_Q_two, W_K_two, W_V_two\n    query ="
        },
    ),
    Variant(
        tag="example-numbers-copied",
        description="Returns the numbers of the notebook's table",
        message="You return the numbers of the notebook's table, whatever your function is given. "
        "They are there to compare with: let your function compute them, and other ones for "
        "other tokens.",
        source="""\
def worked_example(X, W_Q, W_K, W_V, token):
    return {
        "query": np.array([23.0, 49, 45, 28]),
        "keys": np.array([[40.0, 39, 36, 20], [59, 48, 59, 28]]),
        "values": np.array([[51.0, 36, 45, 46], [68, 53, 63, 58]]),
        "scores": np.array([2505.5, 3574.0]),
        "weights": np.array([0.0, 1]),
        "context": np.array([68.0, 53, 63, 58]),
        "output": np.array([74.0, 54, 67, 62]),
    }
""",
    ),
    Variant(
        tag="example-column-of-the-token",
        description="Takes a column of X instead of a row",
        message="You take a column of X: one feature of all tokens, where all features of one "
        "token are wanted. Each token is a row. In `X[a, b]`, which index counts the rows?",
        edits={"X[token]": "X[:, token]"},
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
        tag="example-causal",
        description="Lets the token see only what stands before it",
        message="Your token sees only itself and what stands before it. That is for a decoder, "
        "which must not look ahead; here every token has a key and a value, and all may be looked "
        "at. Which rows of X do yours come from?",
        edits={"X @ W_K": "X[: token + 1] @ W_K", "X @ W_V": "X[: token + 1] @ W_V"},
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
        tag="example-queries-of-all-tokens",
        description="Returns the queries of all tokens as `query`",
        message="Your `query` holds the queries of all tokens, a matrix. Keys and values belong "
        "to all, but the one who asks is a single token: which row of yours is it?",
        edits={'"query": query': '"query": X @ W_Q'},
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
        tag="example-two-tokens-assumed",
        description="Makes keys and values of two tokens, as in the notebook's example",
        message="You make keys and values of the first two tokens, as many as the notebook's "
        "example has. X may have any number of rows, and each is a token. Which operation takes "
        "them all at once?",
        edits={"keys = X @": "keys = X[[0, 1]] @", "values = X @": "values = X[[0, 1]] @"},
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
)
