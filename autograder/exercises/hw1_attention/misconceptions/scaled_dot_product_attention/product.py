"""What learners get wrong in scaled_dot_product_attention: product."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ...recurring import (
    keys_of_length_one,
    keys_transposed_where_needed,
    without_negative_scores,
    zero_scores_hidden,
    zeros_hidden,
)

MISCONCEPTIONS = (
    Variant(
        tag="attention-queries-and-keys-exchanged",
        description="Multiplies K Qᵀ instead of Q Kᵀ",
        message="The rows of your scores belong to the keys and the columns to the queries; it "
        "should be the other way round, so that each row of the weights is one query's. "
        "Transposing a product exchanges its factors.",
        edits={"Q @ K.T": "K @ Q.T"},
    ),
    Variant(
        tag="attention-keys-share-themselves-out",
        description="Multiplies K Qᵀ, and turns the weights round for the context alone",
        message="Your weights have a row for each key and a column for each query, and it is a "
        "key's shares that sum to 1. A query should divide its attention among the keys. Which "
        "letter comes first in the product of equation 1?",
        edits={"Q @ K.T": "K @ Q.T", "weights @ V": "weights.T @ V"},
    ),
    Variant(
        tag="attention-context-of-keys",
        description="Averages the keys instead of the values",
        message="Your context averages the keys. A key is what a token is found by, and has done "
        "its work once the weights are there. What a token hands over when it is found isn't its "
        "key.",
        edits={"weights @ V": "weights @ K"},
    ),
    Variant(
        tag="attention-context-of-scores",
        description="Multiplies the values with the scores instead of the weights",
        message="You multiply the values with the scores, before softmax, so the context is no "
        "average: the factors may be negative and don't sum to 1. Which of your arrays holds "
        "proportions?",
        edits={"weights @ V": "scores @ V"},
    ),
    Variant(
        tag="attention-context-of-the-last-key",
        description="Keeps the last key's weighted value alone: a loop overwrites the others",
        message="Your context is what the last key hands over, times its weight, and nothing of "
        "the others is left. An average adds up all values, each times its weight. What becomes of "
        "the sum so far when the next key's turn comes?",
        edits={"weights @ V": "weights[:, -1:] * V[-1:]"},
    ),
    Variant(
        tag="attention-context-summed-over-queries",
        description="Adds up the weighted values over the queries instead of the keys",
        message="Your context has a row for each key: you add up over the queries, so what is left "
        "is a value, times all that queries give to it. A query takes home a sum over all "
        "keys. Along which axis of (queries, keys, d_v) do those lie?",
        edits={"weights @ V": "(weights[:, :, None] * V).sum(axis=0)"},
    ),
    Variant(
        tag="attention-weights-transposed",
        description="Multiplies the values with the transposed weights",
        message="You turn the weights around before you multiply them with the values, so each key "
        "collects by how much it is looked at. A query's weights are one row and should meet the "
        "rows of V.",
        edits={"weights @ V": "weights.T @ V"},
    ),
    Variant(
        tag="attention-queries-with-queries",
        description="Compares queries with queries (Q Qᵀ)",
        message="You compare the queries with each other, and the keys have no say. What a query "
        "looks for should be compared with what the keys offer. Read the product in equation 1 "
        "letter by letter.",
        edits={"Q @ K.T": "Q @ Q.T"},
    ),
    Variant(
        tag="attention-keys-with-keys",
        description="Compares keys with keys (K Kᵀ)",
        message="You compare the keys with each other, and no query is asked. A row of the scores "
        "should belong to a query. Read the product in equation 1 letter by letter.",
        edits={"Q @ K.T": "K @ K.T"},
    ),
    Variant(
        tag="attention-queries-with-values",
        description="Compares queries with values (Q Vᵀ)",
        message="You compare the queries with the values. A value is what a token hands over; by "
        "what it is found is another matter, and need not even have as many entries. Which of the "
        "three inputs haven't you used?",
        edits={"Q @ K.T": "Q @ V.T"},
    ),
    Variant(
        tag="attention-distances",
        description="Scores by negative squared distance instead of the dot product",
        message="You score a key by how near it lies to the query. That is a fair measure, but "
        "another one: with equation 1 a long key that points the right way beats a short one. It "
        "takes a product, not a distance.",
        edits={"Q @ K.T": "-((Q[:, None] - K) ** 2).sum(-1)"},
    ),
    Variant(
        tag="attention-last-feature-left-out",
        description="Leaves the last feature out of each dot product",
        message="Your scores don't depend on the last feature of queries and keys: a dot product "
        "of yours has one term too few. A range, like a slice, leaves out its end. How many "
        "terms should there be?",
        edits={"Q @ K.T": "Q[:, :-1] @ K[:, :-1].T"},
    ),
    Variant(
        tag="attention-first-feature-left-out",
        description="Leaves the first feature out of each dot product",
        message="Your scores don't depend on the first feature of queries and keys: a dot product "
        "of yours has one term too few. Which number does Python give to the first one?",
        edits={"Q @ K.T": "Q[:, 1:] @ K[:, 1:].T"},
    ),
    *without_negative_scores("attention"),
    *zeros_hidden("attention", "K", "    largest ="),
    zero_scores_hidden("attention", "    largest ="),
    keys_of_length_one("attention"),
    Variant(
        tag="attention-as-many-keys-as-queries",
        description="Loops over as many keys as there are queries",
        message="You go through as many keys as there are queries. In self-attention the two "
        "numbers agree; here there may be more keys, or fewer. Which shape tells how many keys "
        "there are?",
        edits={
            "scores = Q @ K.T / np.sqrt(d_k)": (
                "n = len(Q)\n"
                "    scores = np.array([[Q[i] @ K[j] for j in range(n)] for i in range(n)]) "
                "/ np.sqrt(d_k)"
            )
        },
    ),
    Variant(
        tag="attention-context-of-queries",
        description="Averages the queries instead of the values",
        message="Your context averages the queries. A query is what a token asks; an answer is "
        "made of what the others hand over. Which of the three inputs haven't you used?",
        edits={"weights @ V": "weights @ Q"},
    ),
    Variant(
        tag="attention-context-a-mean",
        description="Divides the context by the number of keys as well",
        message="Your context comes out too small, by the number of keys: you average twice. The "
        "weights of a query sum to 1 already, so the sum that they make is an average. What do "
        "you divide by at the end?",
        edits={"weights @ V": "weights @ V / len(V)"},
    ),
    Variant(
        tag="attention-residual-added",
        description="Adds the queries to the context",
        message="You add the queries to the context. That is the residual connection, which comes "
        "later and outside this function; here queries and values need not even have the same "
        "number of columns. Equation 1 ends before it.",
        edits={"weights @ V": "weights @ V + Q"},
    ),
    Variant(
        tag="attention-keys-reshaped",
        description="Reshapes the keys to (d_k, m) instead of transposing them",
        message="Your scores have the right shape, but the keys are cut up on the way, as a "
        "`reshape` does it: it reads a matrix on like a text and only breaks the lines elsewhere, "
        "so a column of it is no key any more. To exchange rows and columns is another operation.",
        edits={"K.T": "K.reshape(K.shape[1], K.shape[0])"},
    ),
    keys_transposed_where_needed("attention", "Q", "K"),
    Variant(
        tag="attention-context-plain-mean",
        description="Averages all values alike: the weights are not used",
        message="Your context is the plain mean of all values, the same for every query, so it "
        "makes no difference where a query looks. The weights that you return should have a part "
        "in it.",
        edits={"weights @ V": "np.ones_like(weights) @ V / len(V)"},
    ),
    Variant(
        tag="attention-context-of-the-best",
        description="Takes the value of the best key as context (argmax), beside right weights",
        message="Your context is the value of the key with the largest weight, and the other "
        "weights count for nothing. An average takes a part of every value, as large as its "
        "weight. What do you do with the weights before you reach for V?",
        edits={"weights @ V": "V[weights.argmax(axis=1)]"},
    ),
    Variant(
        tag="attention-context-of-exponentials",
        description="Multiplies the values with the exponentials, before they are divided",
        message="Your context adds up the values times exponentials that nobody has divided by "
        "their sum yet, so it is no average. What should the values meet, the exponentials or what "
        "becomes of them?",
        edits={"weights @ V": "powers @ V"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
One query, 1, meets two keys, 1.1 and 0, which hold the values 4 and 0. Here 1.1 stands for the
number to which e has to be raised to give 3; with one entry a key, nothing has to be scaled.

First, the query is compared with each key, and the values have no say: 1 · 1.1 = 1.1 and
1 · 0 = 0.

Softmax makes weights of that: e^1.1 = 3 and e^0 = 1, the sum is 3 + 1 = 4, so the weights are
3/4 = 0.75 and 1/4 = 0.25.

Then the values are averaged by these weights, and queries and keys have no say any more:
0.75 · 4 + 0.25 · 0 = 3.

The result lies between the values. Does yours? Compare it with
these steps one by one: at which do your numbers first differ?""",
        """\
Q, K, V = np.array([[1.0]]), np.log([[3.0], [1.0]]), np.array([[4.0], [0.0]])
scaled_dot_product_attention(Q, K, V)[1]""",
        [[3.0]],
    ),
    WorkedExample(
        """
One query, (2, 0, 0, 0), meets two keys: (1.1, 0.7, 0, 0) and (0, 0, 0, 0). The query looks at the
first entry of each key alone, since its other entries are 0.

The dot products are 2 · 1.1 = 2.2 for the first key and 0 for the second. Divided by √4 = 2, they
are 1.1 and 0.

Softmax: e^1.1 = 3 and e^0 = 1, the sum is 3 + 1 = 4, and the weights are 3/4 = 0.75 and
1/4 = 0.25.

The 0.7 has no part in it. If it has in yours, an entry of the first key was taken for one of the
second. Write down the matrix that you multiply queries with: is each of its columns one key?""",
        """\
Q = np.array([[2.0, 0.0, 0.0, 0.0]])
K = np.log([[3.0, 2.0, 1.0, 1.0], [1.0, 1.0, 1.0, 1.0]])
V = np.array([[4.0], [0.0]])
scaled_dot_product_attention(Q, K, V)[0]""",
        [[0.75, 0.25]],
    ),
)
