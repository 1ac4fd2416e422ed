"""What learners get wrong in scaled_dot_product_attention: result."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="attention-order-swapped",
        description="Returns (context, attention_weights)",
        message="You return the context first, as PyTorch does. In this assignment it is the "
        "other way round: see the line in bold above the exercise.",
        edits={"return weights, context": "return context, weights"},
    ),
    Variant(
        tag="attention-scores-returned",
        description="Returns the scores in place of the attention weights",
        message="The array that you return first holds the scores, where "
        "the attention weights should be. A query's weights are positive and sum to 1: at which "
        "line do your numbers become so, and which name do they have from there on?",
        edits={"return weights, context": "return scores, context"},
    ),
    Variant(
        tag="attention-context-alone",
        description="Returns the context without the weights",
        message="You return the context alone. The weights are asked for as well: they are what "
        "the pictures show. Python returns two things when a comma stands between them.",
        edits={"return weights, context": "return context"},
    ),
    Variant(
        tag="attention-weights-alone",
        description="Returns the weights without the context",
        message="You return the attention weights alone. They say where each query looks, but not "
        "yet what it takes home: one product is left, and both are to be returned.",
        edits={"return weights, context": "return weights"},
    ),
    Variant(
        tag="attention-three-results",
        description="Returns (scores, attention_weights, context)",
        message="You return three things, the scores among them. Two are asked for: which of "
        "yours are positive and sum to 1, and which holds an average of the values?",
        edits={"return weights, context": "return scores, weights, context"},
    ),
    Variant(
        tag="attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="The weights that you return first lie on their side: a column of theirs belongs "
        "to a query, where it should be a row. Your context is right, so you had them the right "
        "way round once. Where do you turn them?",
        edits={"return weights, context": "return weights.T, context"},
    ),
    Variant(
        tag="attention-context-transposed",
        description="Returns the transposed context",
        message="The context that you return lies on its side: (d_v, n) instead of (n, d_v). Row "
        "i should be what query i takes home. Which of your transposes is one too many?",
        edits={"return weights, context": "return weights, context.T"},
    ),
    Variant(
        tag="attention-rounded",
        description="Rounds the weights to three decimals",
        message="Your weights are rounded, and the context is made of the rounded ones: small "
        "weights vanish, and a query's no longer sum to 1. Rounding is for printing.",
        edits={"    context =": "    weights = weights.round(3)\n    context ="},
    ),
    Variant(
        tag="attention-results-rounded",
        description="Rounds what is returned to three decimals",
        message="You round what you return. That is pleasant to read, but the next layer goes on "
        "computing, and what you round off is lost to it. Rounding is for printing.",
        edits={"return weights, context": "return weights.round(3), context.round(3)"},
    ),
    Variant(
        tag="attention-lists-of-rows",
        description="Returns lists of rows instead of arrays",
        message="The numbers may be right, but they come back in lists of rows, not in arrays, "
        "and nobody can go on computing with a list. What puts the rows that your loop collects "
        "together again, or can you do without the loop?",
        edits={"return weights, context": "return list(weights), list(context)"},
    ),
    Variant(
        tag="attention-input-changed",
        description="Scales the caller's queries in place",
        message="One of Q, K and V is no longer what it was when your function returns, and the "
        "next call starts from other numbers. A quotient or a sum makes a new array; an "
        "assignment to a part of an array, or one that computes and assigns at once, writes into "
        "the old one. Which line of yours does?",
        edits={"scores = Q @ K.T / np.sqrt(d_k)": "Q /= np.sqrt(d_k)\n    scores = Q @ K.T"},
    ),
    Variant(
        tag="attention-variables-of-another-cell",
        description="Reads queries, keys and values of a demo cell instead of Q, K and V",
        message="Your function reads `queries`, a variable of a cell further down, so it only "
        "works after that cell ran, and always on the same numbers. Inside a function use what "
        "it is given: its arguments.",
        source="def scaled_dot_product_attention(Q, K, V):\n    return queries @ keys.T, values\n",
    ),
    Variant(
        tag="attention-squeezed",
        description="Squeezes what is returned: axes of length 1 are lost",
        message="Where a size is 1, what you return is one axis short: a single query should still "
        "give a matrix of one row. Which step of yours drops axes of length 1, and what was it "
        "meant for?",
        edits={"return weights, context": "return np.squeeze(weights), np.squeeze(context)"},
    ),
    Variant(
        tag="attention-extra-axis",
        description="Returns both with a batch axis of length 1 in front",
        message="Both of your results have an axis of length 1 in front. There is no batch in this "
        "exercise: the weights are (n, m) and the context (n, d_v). Where does that axis come in, "
        "and does it have to leave with the results?",
        edits={"return weights, context": "return weights[None], context[None]"},
    ),
    Variant(
        tag="attention-plain-list",
        description="Returns plain lists (tolist) instead of arrays",
        message="The numbers may be right, but they come back in plain Python lists, where arrays "
        "are asked for. Nobody can go on computing with those: twice a list is the list repeated. "
        "Where do your results become lists?",
        edits={"return weights, context": "return weights.tolist(), context.tolist()"},
    ),
    Variant(
        tag="attention-dictionary",
        description="Returns a dictionary of weights and context",
        message="You return a dictionary with the right things in it, where two arrays are asked "
        "for, the weights first. Whoever calls your function writes `weights, context = …`, and "
        "from a dictionary that takes the names.",
        edits={
            "return weights, context": 'return {"attention_weights": weights, "context": context}'
        },
    ),
)
