"""What learners get wrong in worked_example: scores."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ....roots import whole_roots
from ...recurring import (
    keys_transposed_where_needed,
    misread_powers,
    zero_scores_hidden,
    zeros_hidden,
)
from .reference import TOY

MISCONCEPTIONS = (
    Variant(
        tag="example-queries-and-keys-exchanged",
        description="Makes the query with W_K and the keys with W_Q",
        message="Your query is made by the matrix of the keys, and the keys by that of the query. "
        "Read the first two rows of the table once more: which matrix makes which?",
        edits={"query = X[token] @ W_Q": "query = X[token] @ W_K", "X @ W_K": "X @ W_Q"},
    ),
    Variant(
        tag="example-keys-from-w-q",
        description="Makes the keys with W_Q as well (a line copied and not changed)",
        message="Your keys are made by the matrix of the query. Then what a token looks for and "
        "what it can be found by are the same. Read your three projections letter by letter.",
        edits={"X @ W_K": "X @ W_Q"},
    ),
    keys_transposed_where_needed("example", "query", "keys"),
    *zeros_hidden("example", "X", "    powers ="),
    zero_scores_hidden("example", "    powers ="),
    Variant(
        tag="example-later-tokens-hidden",
        description="Puts the scores of later tokens at minus infinity",
        message="In your `scores`, the tokens behind the one that asks are at −∞, so it looks only "
        "at itself and at what stands before it. That is for a decoder, which must not look ahead; "
        "here nobody is hidden. Which line of yours does it?",
        edits={
            "    powers =": (
                "    scores = np.where(np.arange(len(X)) <= token, scores, -np.inf)\n    powers ="
            )
        },
    ),
    Variant(
        tag="example-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your `scores` are the bare dot products of the query with the keys. The table has "
        "one more thing in that row.",
        edits={" / np.sqrt(d_k)": ""},
    ),
    Variant(
        tag="example-root-forgotten",
        description="Divides the scores by d_k instead of its root",
        message="You divide the dot products by the whole size, where equation 1 divides by "
        "something smaller. Look closely at what stands below the line.",
        edits={"np.sqrt(d_k)": "d_k"},
    ),
    Variant(
        tag="example-scale-d-model",
        description="Takes the scale from d_model instead of d_k",
        message="Your scale comes from d_model. In the notebook's example that happens to equal "
        "d_k, but it need not. A score is a dot product of the query and a key: over how many "
        "terms does that add up?",
        edits={"d_k = W_K.shape[1]": "d_k = X.shape[1]"},
    ),
    Variant(
        tag="example-scale-number-of-tokens",
        description="Takes the scale from the number of tokens instead of d_k",
        message="Your scale depends on how many tokens there are, where it should depend on how "
        "long a key is. Each token has a row: does what you take count the rows, or the entries "
        "of one?",
        edits={"d_k = W_K.shape[1]": "d_k = len(X)"},
    ),
    Variant(
        tag="example-scores-kept-before-scaling",
        description="Scales for the weights, but returns the unscaled scores",
        message="Your weights come from scaled scores, but the `scores` that you return are those "
        "from before the scaling. Keep them under that name only once they are divided.",
        edits={'"scores": scores': '"scores": query @ keys.T'},
    ),
    Variant(
        tag="example-query-from-w-k",
        description="Makes the query with W_K as well (a line copied and not changed)",
        message="Your query is made by the matrix of the keys. Then what a token looks for and "
        "what it can be found by are the same. Read your three projections letter by letter.",
        edits={"X[token] @ W_Q": "X[token] @ W_K"},
    ),
    Variant(
        tag="example-keys-and-values-exchanged",
        description="Makes the keys with W_V and the values with W_K",
        message="Your keys are made by the matrix of the values, and the values by that of the "
        "keys: what a token is found by and what it hands over. Read the rows of the table once "
        "more: which matrix makes which?",
        edits={"keys = X @ W_K": "keys = X @ W_V", "values = X @ W_V": "values = X @ W_K"},
    ),
    Variant(
        tag="example-query-not-projected",
        description="Takes the token's features for the query, without W_Q",
        message="Your `query` is the token's own features, just as they are. What it looks for is "
        "made of them by a matrix: which of the arguments have you not used?",
        edits={"X[token] @ W_Q": "X[token]"},
    ),
    Variant(
        tag="example-keys-not-projected",
        description="Takes the tokens themselves for keys, without W_K",
        message="Your `keys` are the tokens' features, just as they are. What a token is found by "
        "is made of them by a matrix: which of the arguments have you not used?",
        edits={"keys = X @ W_K": "keys = X"},
    ),
    Variant(
        tag="example-query-from-the-left",
        description="Multiplies W_Q with the token from the left",
        message="You multiply W_Q with the token from the left, as books do that write a token as "
        "a column. Here a token is a row of X. On which side of it does d_model stand, and so on "
        "which side must the matrix?",
        edits={"X[token] @ W_Q": "W_Q @ X[token]"},
    ),
    Variant(
        tag="example-scale-multiplied",
        description="Multiplies the scores by the root instead of dividing",
        message="You make the scores larger where equation 1 makes them smaller. On which side of "
        "the line does the root stand there, and on which does it end up in your code, be it as a "
        "factor, a power or a fraction?",
        edits={"/ np.sqrt(d_k)": "* np.sqrt(d_k)"},
    ),
    Variant(
        tag="example-scale-of-the-table",
        description="Divides by 2, which is √d_k in the notebook's example alone",
        message="You divide by 2. In the notebook's example that is right, for there d_k is 4; "
        "your function is given other matrices as well. Which of its arguments says what d_k is?",
        edits={"/ np.sqrt(d_k)": "/ 2"},
    ),
    Variant(
        tag="example-keys-and-values-exchanged-keys-first",
        description="Exchanges keys and values, and multiplies keys @ query",
        message="Your keys are made by the matrix of the values, and the values by that of the "
        "keys: what a token is found by and what it hands over. Read the rows of the table once "
        "more: which matrix makes which?",
        edits={
            "keys = X @ W_K": "keys = X @ W_V",
            "values = X @ W_V": "values = X @ W_K",
            "query @ keys.T": "keys @ query",
        },
    ),
    Variant(
        tag="example-query-not-projected-keys-first",
        description="Takes the token's features for the query, and multiplies keys @ query",
        message="Your `query` is the token's own features, just as they are. What it looks for is "
        "made of them by a matrix: which of the arguments have you not used?",
        edits={"X[token] @ W_Q": "X[token]", "query @ keys.T": "keys @ query"},
    ),
    *misread_powers("example"),
    *whole_roots("example", "np.sqrt(d_k)", "d_k"),
    Variant(
        tag="example-weights-for-scores",
        description="Returns the weights under the name of the scores",
        message="Your `scores` are the weights once more. The table has them as two steps: the "
        "products over the root, and what softmax makes of them. Does a function that you call "
        "keep the first to itself?",
        edits={'"scores": scores': '"scores": weights'},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens, (0, 1) and (1, 0). We follow the second, so its features alone become a query, while
both tokens become keys.

W_Q turns (1, 0) into the query (2, 0, 0, 0).

W_K turns (0, 1) into the key (1.1, 0, 0, 0) and (1, 0) into the key (0, 0, 0, 0). Here 1.1 stands
for the number to which e has to be raised to give 3.

The query meets each key: 2 · 1.1 = 2.2 and 2 · 0 = 0.

Queries and keys have four entries, so the products are divided by √4 = 2. The scores are
2.2/2 = 1.1 and 0, and that is what goes under the name `scores`.

Compare your query and your keys with these first: W_Q makes the one and W_K the others. If they
agree, what becomes of their product, and what do you divide by?""",
        TOY + 'steps["scores"]',
        [1.098612, 0.0],
    ),
    WorkedExample(
        """
Two tokens, (0, 1) and (1, 0), whose queries and keys have a single entry. We follow the second.

Its query is 1. W_K turns (0, 1) into the key 1.1 and (1, 0) into the key 0, where 1.1 stands for
the number to which e has to be raised to give 3.

The query meets each key: 1 · 1.1 = 1.1 and 1 · 0 = 0. Keys have one entry, so the products are
divided by √1 = 1, which leaves them as they are.

In the table of the notebook, keys have four entries, and √4 = 2 divides there. That number
belongs to those keys alone. From which of the sizes that your function is given does it come?""",
        """\
X, W_Q = np.array([[0.0, 1.0], [1.0, 0.0]]), np.array([[1.0], [0.0]])
W_K, W_V = np.log([[1.0], [3.0]]), np.array([[4.0, 0.0], [0.0, 8.0]])
worked_example(X, W_Q, W_K, W_V, 1)["scores"]""",
        [1.098612, 0.0],
    ),
)
