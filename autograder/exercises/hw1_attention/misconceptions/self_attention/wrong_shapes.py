"""What learners get wrong in self_attention: shapes and containers.

They come last: of two mistakes that may both be made, those that leave the shapes alone are tried
first.
"""

from __future__ import annotations

from autograder.testing import Variant


def _projected_by(product: str) -> dict[str, str]:
    """Return the edits that put `product`, of X and `W`, in the place of all three projections."""
    return {f"X @ W_{each}": product.replace("W", f"W_{each}") for each in "QKV"}


MISCONCEPTIONS = (
    Variant(
        tag="self-attention-residual-added",
        description="Adds X to the context",
        message="You add the tokens' own features to the context. That is the residual "
        "connection, which comes one part later, around this function; X and the context need "
        "not even have the same number of columns.",
        edits={"weights @ V": "weights @ V + X"},
    ),
    Variant(
        tag="self-attention-residual-in-front",
        description="Adds the context to X (X + context)",
        message="You add the context to the tokens' own features. That is the residual "
        "connection, which comes one part later, around this function; X and the context need not "
        "even have the same number of columns.",
        edits={"weights @ V": "X + weights @ V"},
    ),
    Variant(
        tag="self-attention-one-context",
        description="Averages the contexts of all tokens into one",
        message="You average over the tokens at the end, so one vector is left for the whole "
        "sentence. Each token has a context of its own: row i is what token i takes home. Which "
        "axis went missing?",
        edits={"weights @ V": "(weights @ V).mean(axis=0)"},
    ),
    Variant(
        tag="self-attention-context-alone",
        description="Returns the context without the weights",
        message="You return the context alone. The weights are asked for as well: the heat map "
        "further down draws them. Python returns two things when a comma stands between them.",
        edits={"return weights, context": "return context"},
    ),
    Variant(
        tag="self-attention-weights-alone",
        description="Returns the weights without the context",
        message="You return the attention weights alone. They say where each token looks, but not "
        "yet what it takes home: both are to be returned.",
        edits={"return weights, context": "return weights"},
    ),
    Variant(
        tag="self-attention-variables-of-another-cell",
        description="Reads X_words and its matrices of a demo cell instead of the arguments",
        message="Your function reads `X_words`, a variable of a cell further down, so it only "
        "works after that cell ran, and always on the same sentence. Inside a function use what "
        "it is given: its arguments.",
        source="def self_attention(X, W_Q, W_K, W_V):\n    return X_words @ W_Q_words, X_words\n",
    ),
    Variant(
        tag="self-attention-context-transposed",
        description="Returns the transposed context",
        message="The context that you return lies on its side: (d_v, n) instead of (n, d_v). Row "
        "i should be what token i takes home. Which of your transposes is one too many?",
        edits={"return weights, context": "return weights, context.T"},
    ),
    Variant(
        tag="self-attention-extra-axis",
        description="Returns both with a batch axis of length 1 in front",
        message="Both of your results have an axis of length 1 in front. There is no batch in this "
        "exercise: the weights are (n, n) and the context (n, d_v). Where does that axis come in, "
        "and does it have to leave with the results?",
        edits={"return weights, context": "return weights[None], context[None]"},
    ),
    Variant(
        tag="self-attention-contexts-summed",
        description="Sums the contexts of all tokens into one",
        message="You add up the tokens' contexts at the end, so one vector is left for the whole "
        "sentence. Each token has a context of its own: row i is what token i takes home. Which "
        "axis went missing?",
        edits={"weights @ V": "(weights @ V).sum(axis=0)"},
    ),
    Variant(
        tag="self-attention-list-of-rows",
        description="Returns lists of rows instead of arrays",
        message="The numbers may be right, but they come back in lists of rows, where arrays are "
        "asked for. What puts the pieces of a list back together, or can you do without taking "
        "them apart?",
        edits={"return weights, context": "return list(weights), list(context)"},
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
        edits=_projected_by("X @ W.T"),
    ),
    Variant(
        tag="self-attention-matrices-from-the-left",
        description="Multiplies W X instead of X W",
        message="You multiply the matrices with the tokens from the left, as books do that "
        "write a token as a column. In this notebook a token is a row of X: on which side of X "
        "does d_model stand, and so on which side must the matrix?",
        edits=_projected_by("W @ X"),
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
        edits=_projected_by("W"),
    ),
    Variant(
        tag="self-attention-projected-transposed",
        description="Makes Wᵀ Xᵀ: features in the rows, tokens in the columns",
        message="Your queries, keys and values lie on their side, a feature in each row, as books "
        "have it that write a token as a column. In this notebook a row belongs to a token. Write "
        "the shapes below your products: which side should X stand on?",
        edits=_projected_by("W.T @ X.T"),
    ),
    Variant(
        tag="self-attention-projected-entry-by-entry",
        description="Multiplies X * W entry by entry",
        message="Tokens and matrices meet entry by entry in your code, and tokens don't lie over a "
        "matrix of weights like that: (n, d_model) meets (d_model, d_k). Each feature of a query "
        "adds up all features of a token. Another operator multiplies and adds.",
        edits=_projected_by("X * W"),
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
        "self-attention every token asks. If you go through the tokens in a loop: how often does "
        "it run before your function returns?",
        edits={"Q = X @ W_Q": "Q = X[:1] @ W_Q"},
    ),
)
