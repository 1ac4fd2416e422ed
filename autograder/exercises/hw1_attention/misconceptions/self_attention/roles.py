"""What learners get wrong in self_attention: roles."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
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
        tag="self-attention-queries-and-keys-not-projected",
        description="Compares the tokens themselves, without W_Q and W_K",
        message="You compare the tokens' features as they are. Then a token matches best whatever "
        "resembles it, a question and its answer alike. One matrix turns a row of X into a "
        "question, and another into something that can answer it.",
        edits={"Q = X @ W_Q": "Q = X", "K = X @ W_K": "K = X"},
    ),
    Variant(
        tag="self-attention-values-not-projected",
        description="Averages the tokens themselves, without W_V",
        message="Your context averages the tokens' features as they are. What a token hands "
        "over is its value, and that has d_v entries, not d_model: which of the four arguments "
        "have you not used yet?",
        edits={"V = X @ W_V": "V = X"},
    ),
    Variant(
        tag="self-attention-context-of-keys",
        description="Averages the keys instead of the values",
        message="Your context averages the keys. A key is what a token is found by, and has done "
        "its work once the weights are there. What a token hands over when it is found is made by "
        "another matrix.",
        edits={"V = X @ W_V": "V = K"},
    ),
    Variant(
        tag="self-attention-matrices-transposed",
        description="Multiplies X with the transposed matrices, as PyTorch's Linear stores them",
        message="You transpose the matrices before you multiply. Here each has d_model rows, one "
        "for each feature of a token, so it fits as it is. Write the shapes below the "
        "product: (n, d_model) times what?",
        edits={"X @ W_Q": "X @ W_Q.T", "X @ W_K": "X @ W_K.T", "X @ W_V": "X @ W_V.T"},
    ),
    Variant(
        tag="self-attention-matrices-from-the-left",
        description="Multiplies W X instead of X W",
        message="You multiply the matrices with the tokens from the left, as books do that "
        "write a token as a column. In this notebook a token is a row of X: on which side of X "
        "does d_model stand, and so on which side must the matrix?",
        edits={"X @ W_Q": "W_Q @ X", "X @ W_K": "W_K @ X", "X @ W_V": "W_V @ X"},
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
        tag="self-attention-context-of-queries",
        description="Averages the queries instead of the values",
        message="Your context averages the queries. A query is what a token asks; an answer is "
        "made of what the others hand over. Which matrix makes that, and have you used it?",
        edits={"V = X @ W_V": "V = Q"},
    ),
    Variant(
        tag="self-attention-matrices-themselves",
        description="Hands on W_Q, W_K and W_V themselves: X is never used",
        message="Your queries, keys and values are the matrices themselves, and no token has been "
        "asked. The matrices are the same for every sentence, and say something about this one "
        "only where they meet its tokens.",
        edits={"X @ W_Q": "W_Q", "X @ W_K": "W_K", "X @ W_V": "W_V"},
    ),
    Variant(
        tag="self-attention-values-without-tokens",
        description="Averages the rows of W_V: the values lack X",
        message="Your values are the rows of W_V, the same for every sentence. Queries and keys "
        "are made of the tokens and a matrix; so should the values be.",
        edits={"X @ W_V": "W_V"},
    ),
    Variant(
        tag="self-attention-projected-transposed",
        description="Makes Wᵀ Xᵀ: features in the rows, tokens in the columns",
        message="Your queries, keys and values lie on their side, a feature in each row, as books "
        "have it that write a token as a column. In this notebook a row belongs to a token. Write "
        "the shapes below your products: which side should X stand on?",
        edits={"X @ W_Q": "W_Q.T @ X.T", "X @ W_K": "W_K.T @ X.T", "X @ W_V": "W_V.T @ X.T"},
    ),
    Variant(
        tag="self-attention-projected-entry-by-entry",
        description="Multiplies X * W entry by entry",
        message="Tokens and matrices meet entry by entry in your code, and tokens don't lie over a "
        "matrix of weights like that: (n, d_model) meets (d_model, d_k). Each feature of a query "
        "adds up all features of a token. Another operator multiplies and adds.",
        edits={"X @ W_Q": "X * W_Q", "X @ W_K": "X * W_K", "X @ W_V": "X * W_V"},
    ),
    Variant(
        tag="self-attention-values-projected-twice",
        description="Multiplies the context with W_V once more",
        message="W_V is applied twice: to the tokens, and once more to their average. That only "
        "fits where d_v equals d_model, and even there it is another context. Where did the "
        "values get their d_v entries?",
        edits={"weights @ V": "weights @ V @ W_V"},
    ),
    Variant(
        tag="self-attention-one-query",
        description="Asks for the first token alone",
        message="Only the first token looks at the others; your weights are a single row. In "
        "self-attention every token asks.",
        edits={"Q = X @ W_Q": "Q = X[:1] @ W_Q"},
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
)
