"""What learners get wrong in worked_example: output."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="example-no-residual",
        description="Returns the context as the output",
        message="Your `output` is the context alone, so the token's own features are lost. A "
        "residual connection adds to what was there; it doesn't replace it. What was there?",
        edits={"output = X[token] + context": "output = context"},
    ),
    Variant(
        tag="example-residual-of-the-first-token",
        description="Adds the first token's features, whichever token is asked for",
        message="You add the first token's features, whichever token is asked for. Each token "
        "keeps its own features: the same row of X that the query was made of.",
        edits={"output = X[token]": "output = X[0]"},
    ),
    Variant(
        tag="example-residual-of-all-tokens",
        description="Adds the whole of X, so the output is a matrix",
        message="You add the context of one token to all rows of X, and a matrix comes out. Whose "
        "features does the context of this token belong to?",
        edits={"output = X[token]": "output = X"},
    ),
    Variant(
        tag="example-residual-of-the-value",
        description="Adds the token's value instead of its features",
        message="You add the token's value to the context, where its own features are to be added: "
        "those that came in, before any matrix touched them. Under which name did your function "
        "get them?",
        edits={"output = X[token]": "output = values[token]"},
    ),
    Variant(
        tag="example-residual-of-the-query",
        description="Adds the query to the context",
        message="You add the query to the context, where the token's own features are to be "
        "added: those that came in, before any matrix touched them. Under which name did your "
        "function get them?",
        edits={"output = X[token] +": "output = query +"},
        pairs=False,
    ),
    Variant(
        tag="example-residual-of-the-last-token",
        description="Adds the last token's features, whichever token is asked for",
        message="You add the last token's features, whichever token is asked for. Each token "
        "keeps its own features: the same row of X that the query was made of.",
        edits={"output = X[token]": "output = X[-1]"},
        pairs=False,
    ),
    Variant(
        tag="example-residual-subtracted",
        description="Subtracts the token's features instead of adding them",
        message="You subtract the token's features from the context. A residual connection keeps "
        "what was there and puts something on top. Which sign does that?",
        edits={"X[token] + context": "context - X[token]"},
        pairs=False,
    ),
    Variant(
        tag="example-residual-multiplied",
        description="Multiplies the token's features with the context",
        message="You multiply the token's features with the context, entry by entry, so a feature "
        "of 0 stays 0 whatever was found. A residual connection puts something on top of what was "
        "there. Which sign does that?",
        edits={"X[token] + context": "X[token] * context"},
        pairs=False,
    ),
    Variant(
        tag="example-residual-side-by-side",
        description="Puts features and context side by side",
        message="You put the token's features and the context side by side, so `output` is twice "
        "as long. The layer should hand on as many features as it was given. How do two vectors "
        "become one of the same length?",
        edits={"X[token] + context": "np.concatenate([X[token], context])"},
        pairs=False,
    ),
    Variant(
        tag="example-residual-averaged",
        description="Takes the mean of features and context",
        message="Your `output` is half of what it should be: you take the mean of features and "
        "context. A residual connection puts the context on top, all of it. What do you divide "
        "by?",
        edits={"X[token] + context": "(X[token] + context) / 2"},
        pairs=False,
    ),
    Variant(
        tag="example-output-without-context",
        description="Returns the token's features as the output",
        message="Your `output` is the token's features, just as they came in: nothing of what "
        "attention found is in it. What is to be put on top of them?",
        edits={"X[token] + context": "X[token]"},
        pairs=False,
    ),
    Variant(
        tag="example-output-normalised",
        description="Normalises the output (layer norm)",
        message="You normalise the `output`. A layer norm does come after the residual in a "
        "Transformer, but only in the next homework; the table ends before. Which line comes "
        "after your sum?",
        edits={
            "X[token] + context": (
                "X[token] + context\n    output = (output - output.mean()) / output.std()"
            )
        },
        pairs=False,
    ),
    Variant(
        tag="example-input-changed",
        description="Adds the context into X itself",
        message="X, or one of the matrices, has changed when your function returns. "
        "`X[token] += ...`, also by way of `x = X[token]` and `x += ...`, writes into the "
        "caller's array, and the next call starts from other features. `... + ...` makes a new "
        "array.",
        edits={"output = X[token] +": "output = X[token]\n    output +="},
    ),
    Variant(
        tag="example-steps-without-names",
        description="Returns a tuple of the steps instead of a dictionary",
        message="You return the steps without their names. A dictionary is asked for, so that "
        'each step can be looked up: `steps["scores"]`.',
        edits={"return steps": "return tuple(steps.values())"},
    ),
    Variant(
        tag="example-names-in-the-singular",
        description="Calls the steps `key` and `value` instead of `keys` and `values`",
        message="The steps are there, but two have other names than in the table: you write them "
        "in the singular, though every token has one. A dictionary is looked up letter by letter.",
        edits={'"keys"': '"key"', '"values"': '"value"'},
        pairs=False,
    ),
    Variant(
        tag="example-names-as-in-the-formula",
        description="Calls the steps Q, K and V",
        message="The steps are there, but you call the first ones by the letters of the formula. "
        "A dictionary is looked up letter by letter: the names are those of the table.",
        edits={'"query"': '"Q"', '"keys"': '"K"', '"values"': '"V"'},
        pairs=False,
    ),
    Variant(
        tag="example-names-in-lower-case-letters",
        description="Calls the steps q, K and V",
        message="The steps are there, but you call the first ones by letters, as in the formula. "
        "A dictionary is looked up letter by letter: the names are those of the table.",
        edits={'"query"': '"q"', '"keys"': '"K"', '"values"': '"V"'},
        pairs=False,
    ),
    Variant(
        tag="example-weights-called-attention-weights",
        description="Calls the weights `attention_weights`",
        message="The steps are there, but one has another name than in the table: you call it "
        "`attention_weights`, as your earlier functions do. A dictionary is looked up letter by "
        "letter.",
        edits={'"weights"': '"attention_weights"'},
        pairs=False,
    ),
    Variant(
        tag="example-values-left-out",
        description="Leaves `values` out of the dictionary",
        message="Six of seven steps are there. You compute the values and use them, but they are "
        "not in the dictionary that you return. Go through the table row by row.",
        edits={', "values": values': ""},
        pairs=False,
    ),
    Variant(
        tag="example-output-left-out",
        description="Leaves `output` out of the dictionary",
        message="Six of seven steps are there: the last one is not in the dictionary. The context "
        "is not yet what the layer hands on. Which step follows it in the table?",
        edits={', "output": output': ""},
        pairs=False,
    ),
    Variant(
        tag="example-query-alone-kept-as-a-matrix",
        description="Keeps the query as a matrix of one row, all else as vectors",
        message="Your `query` is a matrix of one row; the steps after it are vectors, as they "
        "should be. A single query is a vector. Which bracket, slice or `reshape` gives it "
        "another axis?",
        edits={'"query": query': '"query": query[None]'},
        pairs=False,
    ),
    Variant(
        tag="example-steps-rounded",
        description="Rounds all steps to two decimals",
        message="You round the steps. In the notebook's example nothing is lost, for its numbers "
        "are nearly whole; with other ones the rest is gone. Who should round, and when?",
        edits={"return steps": "return {name: step.round(2) for name, step in steps.items()}"},
        pairs=False,
    ),
    Variant(
        tag="example-steps-as-lists",
        description="Returns plain lists (tolist) instead of arrays",
        message="The numbers may be right, but the steps are plain Python lists. With a list "
        "nobody can go on computing: `* 2` repeats it. Which call makes lists of your arrays?",
        edits={"return steps": "return {name: step.tolist() for name, step in steps.items()}"},
        pairs=False,
    ),
    Variant(
        tag="example-output-alone",
        description="Returns the output instead of the dictionary of all steps",
        message="You return the last step alone. This exercise is about the way there: all seven "
        "steps are asked for, in a dictionary with the names of the table.",
        edits={"return steps": "return output"},
    ),
)
