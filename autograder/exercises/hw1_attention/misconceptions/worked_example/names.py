"""What learners get wrong in worked_example: the dictionary and its entries."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
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
        tag="example-steps-rounded",
        description="Rounds all steps to two decimals",
        message="You round the steps. In the notebook's example nothing is lost, for its numbers "
        "are nearly whole; with other ones the rest is gone. Rounding is for printing.",
        edits={"return steps": "return {name: step.round(2) for name, step in steps.items()}"},
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
        message="The seven steps are right, but the dictionary holds something else besides. "
        "Exactly the names of the table are asked for, because code that goes through all steps "
        "would take the rest for steps, too. Which entry is not in the table?",
        edits={"return steps": 'return {"token": X[token]} | steps'},
    ),
    Variant(
        tag="example-squeezed",
        description="Squeezes the steps: axes of length 1 are lost",
        message="Where a size is 1, steps of yours are one axis short: the keys of a single token "
        "should still be a matrix of one row, and scores a vector of one entry. What drops axes of "
        "length 1, and what was it meant for?",
        edits={"return steps": "return {name: np.squeeze(step) for name, step in steps.items()}"},
    ),
    Variant(
        tag="example-rows-in-lists",
        description="Returns keys and values as lists of rows",
        message="Your `keys` and `values` may hold the right numbers, but they come back in lists "
        "of rows, where matrices are asked for. What puts the rows that a loop collects together, "
        "or can you do without the loop?",
        edits={'"keys": keys, "values": values': '"keys": list(keys), "values": list(values)'},
    ),
)
