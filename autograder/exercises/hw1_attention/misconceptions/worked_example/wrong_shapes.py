"""What learners get wrong in worked_example: shapes and containers.

They come last: of two mistakes that may both be made, those that leave the shapes alone are tried
first.
"""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="example-context-not-summed",
        description="Weighs the values, but doesn't add them up",
        message="Your `context` is a matrix: every value times its weight, one row each. An "
        "average has one more step. Along which axis do the tokens lie?",
        edits={
            "weights @ values": "weights[:, None] * values",
            "features + context": "features + context.sum(axis=0)",
        },
    ),
    Variant(
        tag="example-context-not-summed-nor-output",
        description="Weighs the values, but never adds them up, in the output either",
        message="Your `context` and `output` are matrices: every value times its weight, one row "
        "each. An average has one more step. Along which axis do the tokens lie?",
        edits={"weights @ values": "weights[:, None] * values"},
    ),
    Variant(
        tag="example-values-from-the-left",
        description="Multiplies values @ weights: features meet tokens",
        message="Where your context is made, the features of a value meet the weights of the "
        "tokens, and the sizes clash. One weight belongs to one row of the values. Write the "
        "shapes below your product: along which axis of the values do the tokens lie?",
        edits={"weights @ values": "values @ weights"},
    ),
    Variant(
        tag="example-context-kept-as-a-matrix",
        description="Keeps the context, and the output, as a matrix of one row",
        message="Your `context`, and the `output` made of it, are matrices of one row; the steps "
        "before them are vectors. Which bracket or `reshape` gives the weights another axis?",
        edits={"weights @ values": "weights[None] @ values"},
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
    ),
    Variant(
        tag="example-names-as-in-the-formula",
        description="Calls the steps Q, K and V",
        message="The steps are there, but you call the first ones by the letters of the formula. "
        "A dictionary is looked up letter by letter: the names are those of the table.",
        edits={'"query"': '"Q"', '"keys"': '"K"', '"values"': '"V"'},
    ),
    Variant(
        tag="example-names-in-lower-case-letters",
        description="Calls the steps q, K and V",
        message="The steps are there, but you call the first ones by letters, as in the formula. "
        "A dictionary is looked up letter by letter: the names are those of the table.",
        edits={'"query"': '"q"', '"keys"': '"K"', '"values"': '"V"'},
    ),
    Variant(
        tag="example-weights-called-attention-weights",
        description="Calls the weights `attention_weights`",
        message="The steps are there, but one has another name than in the table: you call it "
        "`attention_weights`, as your earlier functions do. A dictionary is looked up letter by "
        "letter.",
        edits={'"weights"': '"attention_weights"'},
    ),
    Variant(
        tag="example-values-left-out",
        description="Leaves `values` out of the dictionary",
        message="Six of seven steps are there. You compute the values and use them, but they are "
        "not in the dictionary that you return. Go through the table row by row.",
        edits={', "values": values': ""},
    ),
    Variant(
        tag="example-output-left-out",
        description="Leaves `output` out of the dictionary",
        message="Six of seven steps are there: the last one is not in the dictionary. The context "
        "is not yet what the layer hands on. One more step follows it in the table.",
        edits={', "output": output': ""},
    ),
    Variant(
        tag="example-query-alone-kept-as-a-matrix",
        description="Keeps the query as a matrix of one row, all else as vectors",
        message="Your `query` is a matrix of one row; the steps after it are vectors, as they "
        "should be. A single query is a vector. Which bracket, slice or `reshape` gives it "
        "another axis?",
        edits={'"query": query': '"query": query[None]'},
    ),
    Variant(
        tag="example-steps-as-lists",
        description="Returns plain lists (tolist) instead of arrays",
        message="The numbers may be right, but the steps are plain Python lists. Nobody can "
        "go on computing with a list: `* 2` repeats it. Which call makes lists of your arrays?",
        edits={"return steps": "return {name: step.tolist() for name, step in steps.items()}"},
    ),
    Variant(
        tag="example-output-alone",
        description="Returns the output instead of the dictionary of all steps",
        message="You return the last step alone. This exercise is about the way there: all seven "
        "steps are asked for, in a dictionary with the names of the table.",
        edits={"return steps": "return output"},
    ),
    Variant(
        tag="example-name-missing",
        description="Leaves a step out of the dictionary, or spells its name differently",
        message="At least one of the seven names of the table is not in the dictionary that you "
        "return: it is left out, or spelt differently. A dictionary is looked up letter by letter. "
        "Go through the table row by row: which one don't you find?",
        edits={', "scores": scores': ""},
    ),
    Variant(
        tag="example-name-too-many",
        description="Puts more than the seven steps into the dictionary",
        message="The dictionary holds something else besides the seven steps. "
        "Exactly the names of the table are asked for, because code that goes through all steps "
        "would take the rest for steps, too. Which entry is not in the table?",
        edits={"return steps": 'return {"token": X[token]} | steps'},
    ),
    Variant(
        tag="example-rows-in-lists",
        description="Returns keys and values as lists of rows",
        message="Your `keys` and `values` may hold the right numbers, but they come back in lists "
        "of rows, where matrices are asked for. What puts the rows that a loop collects together, "
        "or can you do without the loop?",
        edits={'"keys": keys, "values": values': '"keys": list(keys), "values": list(values)'},
    ),
    Variant(
        tag="example-residual-of-all-tokens",
        description="Adds the whole of X, so the output is a matrix",
        message="You add the context of one token to all rows of X, and a matrix comes out. But "
        "the context belongs to one token alone.",
        edits={"output = features": "output = X"},
    ),
    Variant(
        tag="example-residual-side-by-side",
        description="Puts features and context side by side",
        message="You put the token's features and the context side by side, so `output` is twice "
        "as long. The layer should hand on as many features as it was given. The two have to "
        "become one vector of the same length.",
        edits={"features + context": "np.concatenate([features, context])"},
    ),
    Variant(
        tag="example-keys-not-turned",
        description="Multiplies query @ keys: the sizes clash",
        message="Where your scores are made, the entries of the query meet the tokens, and the "
        "sizes clash. The query has one entry for each feature, and so has each *row* of the "
        "keys. Write the shapes below your product: what has to be turned so that features meet "
        "features?",
        edits={"query @ keys.T": "query @ keys"},
    ),
    Variant(
        tag="example-keys-transposed",
        description="Returns the keys lying on their side",
        message="Your `keys` lie on their side, a token in each column. The transpose belongs to "
        "the product that makes the scores; under its own name every token has a row. Where do "
        "you turn them?",
        edits={'"keys": keys': '"keys": keys.T'},
    ),
    Variant(
        tag="example-scores-as-a-row",
        description="Keeps the scores, and all that follows, as a matrix of one row",
        message="Your `scores`, and what comes after them, are matrices of one row. There is one "
        "query, so one score for each token: a vector. Which bracket or `reshape` gives the query "
        "another axis?",
        edits={"scores = query @ keys.T": "scores = query[None] @ keys.T"},
    ),
    Variant(
        tag="example-scores-in-a-list",
        description="Returns the scores as a plain list",
        message="Your `scores` may hold the right numbers, but they come back in a list, where an "
        "array is asked for. What makes an array of the numbers that a loop collects, or can you "
        "do without the loop?",
        edits={'"scores": scores': '"scores": list(scores)'},
    ),
    Variant(
        tag="example-rows-and-scores-in-lists",
        description="Returns keys and values as lists of rows, and the scores as a list",
        message="Your `keys`, `values` and `scores` may hold the right numbers, but they come back "
        "in lists, where arrays are asked for. What makes an array of what a loop collects, or can "
        "you do without the loop?",
        edits={
            '"keys": keys, "values": values': '"keys": list(keys), "values": list(values)',
            '"scores": scores': '"scores": list(scores)',
        },
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
        tag="example-causal",
        description="Lets the token see only what stands before it",
        message="Your token sees only itself and what stands before it. That is for a decoder, "
        "which must not look ahead; here every token has a key and a value, and all may be looked "
        "at. Which rows of X do yours come from?",
        edits={"X @ W_K": "X[: token + 1] @ W_K", "X @ W_V": "X[: token + 1] @ W_V"},
    ),
    Variant(
        tag="example-queries-of-all-tokens",
        description="Returns the queries of all tokens as `query`",
        message="Your `query` holds the queries of all tokens, a matrix. Keys and values belong "
        "to all, but the one who asks is a single token: which row of yours is it?",
        edits={'"query": query': '"query": X @ W_Q'},
    ),
    Variant(
        tag="example-two-tokens-assumed",
        description="Makes keys and values of two tokens, as in the notebook's example",
        message="You make keys and values of the first two tokens, as many as the notebook's "
        "example has. X may have any number of rows, and each is a token. Which operation takes "
        "them all at once?",
        edits={"keys = X @": "keys = X[[0, 1]] @", "values = X @": "values = X[[0, 1]] @"},
    ),
)
