"""What learners get wrong in worked_example: output."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import TOY

MISCONCEPTIONS = (
    Variant(
        tag="example-no-residual",
        description="Returns the context as the output",
        message="Your `output` is the context alone, so the token's own features are lost. A "
        "residual connection adds to what was there; it doesn't replace it.",
        edits={"output = features + context": "output = context"},
    ),
    Variant(
        tag="example-residual-of-the-first-token",
        description="Adds the first token's features, whichever token is asked for",
        message="You add the first token's features, whichever token is asked for. Each token "
        "keeps its own features: the same row of X that the query was made of.",
        edits={"output = features": "output = X[0]"},
    ),
    Variant(
        tag="example-residual-of-the-value",
        description="Adds the token's value instead of its features",
        message="You add the token's value to the context, where its own features are to be added: "
        "those that came in, before any matrix touched them. Under which name did your function "
        "get them?",
        edits={"output = features": "output = values[token]"},
    ),
    Variant(
        tag="example-residual-of-the-query",
        description="Adds the query to the context",
        message="You add the query to the context, where the token's own features are to be "
        "added: those that came in, before any matrix touched them. Under which name did your "
        "function get them?",
        edits={"output = features +": "output = query +"},
    ),
    Variant(
        tag="example-residual-of-the-last-token",
        description="Adds the last token's features, whichever token is asked for",
        message="You add the last token's features, whichever token is asked for. Each token "
        "keeps its own features: the same row of X that the query was made of.",
        edits={"output = features": "output = X[-1]"},
    ),
    Variant(
        tag="example-residual-subtracted",
        description="Subtracts the token's features instead of adding them",
        message="You subtract the token's features from the context. A residual connection keeps "
        "what was there and puts something on top.",
        edits={"features + context": "context - features"},
    ),
    Variant(
        tag="example-residual-multiplied",
        description="Multiplies the token's features with the context",
        message="You multiply the token's features with the context, entry by entry, so a feature "
        "of 0 stays 0 whatever was found. A residual connection puts something on top of what was "
        "there.",
        edits={"features + context": "features * context"},
    ),
    Variant(
        tag="example-residual-averaged",
        description="Takes the mean of features and context",
        message="Your `output` is half of what it should be: you take the mean of features and "
        "context. A residual connection puts the context on top, all of it. What do you divide "
        "by?",
        edits={"features + context": "(features + context) / 2"},
    ),
    Variant(
        tag="example-output-without-context",
        description="Returns the token's features as the output",
        message="Your `output` is the token's features, just as they came in: nothing of what "
        "attention found is in it. It is to be put on top of them.",
        edits={"features + context": "features"},
    ),
    *(
        Variant(
            tag=f"example-output-normalised{name}",
            description="Normalises the output (layer norm)",
            message="You normalise the `output`. A layer norm does come after the residual in a "
            "Transformer, but only in the next homework; the table ends before. Which line comes "
            "after your sum?",
            edits={
                "    steps = {": f"    output = (output - output.mean()) / {spread}\n    steps = {{"
            },
        )
        for name, spread in (
            ("", "output.std()"),
            ("-with-epsilon", "np.sqrt(output.var() + 1e-5)"),
        )
    ),
    Variant(
        tag="example-input-changed",
        description="Adds the context into X itself",
        message="X, or one of the matrices, is no longer what it was when your function returns, "
        "and the next call starts from other features. A row of an array is no copy: to write into "
        "it is to write into the whole. A sum makes a new array; an assignment to a part, or one "
        "that computes and assigns at once, doesn't. Which line of yours does so?",
        edits={"output = features +": "output = features\n    output +="},
    ),
    Variant(
        tag="example-residual-of-the-sum-of-tokens",
        description="Adds the features of all tokens, summed",
        message="You add the features of all tokens, summed, to the context. A residual connection "
        "keeps what one token brought: that of the token asked for.",
        edits={"output = features": "output = X.sum(axis=0)"},
    ),
    Variant(
        tag="example-residual-of-the-mean-of-tokens",
        description="Adds the mean of all tokens' features",
        message="You add the mean of all tokens' features to the context. A residual connection "
        "keeps what one token brought: that of the token asked for.",
        edits={"output = features": "output = X.mean(axis=0)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens, (0, 1) and (1, 0). We follow the second, and attention has found the context (1, 6)
for it. The last step is the residual connection: what the token was before is kept, and what it
has learned is added.

What it was is its row of X, the features as they came in: (1, 0). So the output is 1 + 1 = 2 in
the first column and 0 + 6 = 6 in the second: (2, 6).

It is the row of the token that is asked for, and no other; it hasn't been through a matrix; and
nothing is done to the sum afterwards.

Take the context (1, 6) away from your own output. What is left, and where does it come from?""",
        TOY + 'steps["output"]',
        [2.0, 6.0],
    ),
)
