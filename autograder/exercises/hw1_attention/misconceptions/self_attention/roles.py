"""What learners get wrong in self_attention: roles."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ...recurring import (
    keys_of_length_one,
    keys_transposed_where_needed,
    without_negative_scores,
    zero_scores_hidden,
    zeros_hidden,
)

PROJECTIONS = "    Q = X @ W_Q\n    K = X @ W_K\n    V = X @ W_V\n"
SIDE_BY_SIDE = "X @ np.concatenate([W_Q, W_K, W_V], axis=1)"

MISCONCEPTIONS = (
    *(
        Variant(
            tag=f"self-attention-cut-into-thirds{how}",
            description=f"Multiplies by all matrices at once, and cuts equal parts by {function}",
            message="You multiply X by the three matrices side by side, and cut the product into "
            "three equal parts. Queries and keys are as wide as each other, but values have a "
            "width of their own, so the cuts fall in wrong places. Which size says where the "
            "values begin?",
            edits={PROJECTIONS: f"    Q, K, V = np.{function}({SIDE_BY_SIDE}, 3, axis=1)\n"},
        )
        for how, function in (("", "split"), ("-roughly", "array_split"))
    ),
    Variant(
        tag="self-attention-queries-and-keys-exchanged",
        description="Makes queries with W_K and keys with W_Q (or multiplies K Qᵀ)",
        message="Queries and keys have changed places, so a token is asked where it should ask. "
        "Row i of the weights is what token i looks at: it comes from the query of token i and "
        "the keys of all. Which matrix makes which, and which of the two comes first in the "
        "product?",
        edits={"Q = X @ W_Q": "Q = X @ W_K", "K = X @ W_K": "K = X @ W_Q"},
    ),
    Variant(
        tag="self-attention-keys-from-w-q",
        description="Makes the keys with W_Q as well (a line copied and not changed)",
        message="Your keys are made by the matrix of the queries. Then what a token looks for and "
        "what it can be found by are the same, and two tokens always score each other equally. "
        "Read your three projections letter by letter.",
        edits={"K = X @ W_K": "K = X @ W_Q"},
    ),
    Variant(
        tag="self-attention-queries-from-w-k",
        description="Makes the queries with W_K as well",
        message="Your queries are made by the matrix of the keys. Then what a token looks for and "
        "what it can be found by are the same, and two tokens always score each other equally. "
        "Read your three projections letter by letter.",
        edits={"Q = X @ W_Q": "Q = X @ W_K"},
    ),
    Variant(
        tag="self-attention-scores-both-ways",
        description="Takes the mean of the score of two tokens and that of the way back",
        message="In your scores, A finds B exactly as fitting as B finds A: each is the mean of "
        "both. What a token looks for and what it can be found by are two things, so a look need "
        "not be returned. Which step of yours lets rows and columns change places?",
        edits={
            "scores = Q @ K.T / np.sqrt(d_k)": ("scores = (Q @ K.T + K @ Q.T) / 2 / np.sqrt(d_k)")
        },
    ),
    Variant(
        tag="self-attention-distances",
        description="Scores by negative squared distance instead of the dot product",
        message="You score a key by how near it lies to the query. That is a fair measure, but "
        "another one: with equation 1 a long key that points the right way beats a short one. It "
        "takes a product, not a distance.",
        edits={"Q @ K.T": "-((Q[:, None] - K) ** 2).sum(-1)"},
    ),
    Variant(
        tag="self-attention-tokens-averaged-where-square",
        description="Averages the tokens themselves where W_V is square",
        message="Where d_v = d_model, you average the tokens as they are, and W_V has no say; with "
        "other sizes it has. A square matrix is no identity: it makes something of a token, too. "
        "What does your code decide by looking at sizes?",
        edits={"weights @ V": "weights @ (X if W_V.shape[0] == W_V.shape[1] else V)"},
    ),
    keys_transposed_where_needed("self-attention", "Q", "K"),
    *without_negative_scores("self-attention"),
    *zeros_hidden("self-attention", "X", "    largest ="),
    zero_scores_hidden("self-attention", "    largest ="),
    keys_of_length_one("self-attention"),
    Variant(
        tag="self-attention-queries-and-keys-not-projected",
        description="Compares the tokens themselves, without W_Q and W_K",
        message="You compare the tokens' features as they are. Then a token matches best whatever "
        "resembles it, a question and its answer alike. One matrix turns a row of X into a "
        "question, and another into something that can answer it.",
        edits={"Q = X @ W_Q": "Q = X", "K = X @ W_K": "K = X"},
    ),
    Variant(
        tag="self-attention-queries-and-keys-not-projected-scaled-by-d-k",
        description="Compares the tokens themselves, and divides by the root of d_k",
        message="You compare the tokens' features as they are. Then a token matches best whatever "
        "resembles it, a question and its answer alike. One matrix turns a row of X into a "
        "question, and another into something that can answer it.",
        edits={
            "Q = X @ W_Q": "Q = X",
            "K = X @ W_K": "K = X",
            "d_k = K.shape[1]": "d_k = W_K.shape[1]",
        },
    ),
    Variant(
        tag="self-attention-keys-and-values-exchanged",
        description="Makes keys with W_V and values with W_K (or hands them over in that order)",
        message="Keys and values have changed places: what a token is found by and what it hands "
        "over. They need not even have the same number of entries. In which order does your "
        "function for attention take its three arguments, and which matrix makes which?",
        edits={"K = X @ W_K": "K = X @ W_V", "V = X @ W_V": "V = X @ W_K"},
    ),
    Variant(
        tag="self-attention-values-without-tokens",
        description="Averages the rows of W_V: the values lack X",
        message="Your values are the rows of W_V, the same for every sentence. Queries and keys "
        "are made of the tokens and a matrix; so should the values be.",
        edits={"X @ W_V": "W_V"},
    ),
    Variant(
        tag="self-attention-values-made-of-keys",
        description="Multiplies the keys with W_V where their sizes allow it",
        message="Where the sizes allow it, you make the values of the *keys*, and not of the "
        "tokens. Queries, keys and values are three views of the same tokens, and none is made of "
        "another. What does W_V meet in your code?",
        edits={"V = X @ W_V": "V = (K if K.shape[1] == len(W_V) else X) @ W_V"},
    ),
    Variant(
        tag="self-attention-keys-reshaped",
        description="Reshapes the keys to (d_k, m) instead of transposing them",
        message="Your scores have the right shape, but the keys are cut up on the way, as a "
        "`reshape` does it: it reads a matrix on like a text and only breaks the lines elsewhere, "
        "so a column of it is no key any more. To exchange rows and columns is another operation.",
        edits={"K.T": "K.reshape(K.shape[1], K.shape[0])"},
    ),
    Variant(
        tag="self-attention-square-matrices-transposed",
        description="Transposes the matrices wherever they are square",
        message="Where a matrix is square, you multiply with its transpose; others you take as "
        "they are. A row of each belongs to a feature of the tokens, whatever the number of "
        "columns: (n, d_model) times what?",
        edits={
            "X @ W_Q": "X @ (W_Q.T if len(W_Q) == len(W_Q.T) else W_Q)",
            "X @ W_K": "X @ (W_K.T if len(W_K) == len(W_K.T) else W_K)",
            "X @ W_V": "X @ (W_V.T if len(W_V) == len(W_V.T) else W_V)",
        },
    ),
    Variant(
        tag="self-attention-tokens-normalised",
        description="Divides each token by its length before the projections",
        message="Your tokens all have length 1 before they are projected, so it no longer counts "
        "how large their features are. Here X goes into the three products as it is. Which line of "
        "yours divides it?",
        edits={
            "    Q = X @": ("    X = X / np.linalg.norm(X, axis=-1, keepdims=True)\n    Q = X @")
        },
    ),
    *(
        Variant(
            tag=f"self-attention-tokens-standardised{name}",
            description="Standardises each token (mean 0, deviation 1) before the projections",
            message="Your tokens are standardised before they are projected, as a layer norm does, "
            "so their own mean and spread no longer count. Here X goes into the three products as "
            "it is. Which line of yours subtracts and divides?",
            edits={
                "    Q = X @": (
                    f"    X = X - X.mean(axis=-1, keepdims=True)\n    X = X / {spread}\n    Q = X @"
                )
            },
        )
        for name, spread in (
            ("", "X.std(axis=-1, keepdims=True)"),
            ("-with-epsilon", "(X.std(axis=-1, keepdims=True) + 1e-5)"),
            ("-with-a-smaller-epsilon", "(X.std(axis=-1, keepdims=True) + 1e-6)"),
            ("-with-epsilon-under-the-root", "np.sqrt(X.var(axis=-1, keepdims=True) + 1e-5)"),
        )
    ),
    Variant(
        tag="self-attention-tokens-centred",
        description="Subtracts the mean of all tokens before the projections",
        message="Your tokens are centred before they are projected: what all of them have in "
        "common is taken away, so a token that stands alone has nothing left. Here X goes into the "
        "three products as it is. Which line of yours subtracts something from it?",
        edits={"    Q = X @": "    X = X - X.mean(axis=0)\n    Q = X @"},
    ),
    Variant(
        tag="self-attention-features-centred",
        description="Subtracts from each token the mean of its own features",
        message="From each token the mean of its features is subtracted before it is projected, as "
        "in a layer norm, so their common level no longer counts. Here X goes into the three "
        "products as it is. Which line of yours subtracts something from it?",
        edits={"    Q = X @": "    X = X - X.mean(axis=-1, keepdims=True)\n    Q = X @"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens, (1, 0) and (1, 1), and keys of one entry, so nothing has to be scaled. Every token
goes through all three matrices.

W_Q is (1, −1), so the queries are 1 and 1 − 1 = 0.

W_K is (0, 1.1), where e^1.1 = 3, so the keys are 0 and 1.1.

W_V is (4, 8), so the values are 4 and 4 + 8 = 12.

The first token's query meets both keys: 1 · 0 = 0 and 1 · 1.1 = 1.1. Its weights are 1/4 = 0.25
and 3/4 = 0.75, and its context is 0.25 · 4 + 0.75 · 12 = 10.

The second token's query is 0: it finds all keys alike, and takes 0.5 · 4 + 0.5 · 12 = 8.

Compute your own queries, keys and values by hand. Does one of the three differ? If none does, how
do they meet?""",
        """\
X, W_Q = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[1.0], [-1.0]])
W_K, W_V = np.log([[1.0], [3.0]]), np.array([[4.0], [8.0]])
self_attention(X, W_Q, W_K, W_V)[1]""",
        [[10.0], [8.0]],
    ),
)
