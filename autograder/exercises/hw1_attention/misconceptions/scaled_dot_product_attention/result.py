"""What learners get wrong in scaled_dot_product_attention: result."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="attention-order-swapped",
        description="Returns (context, attention_weights)",
        message="You return the context first, as PyTorch does. In this assignment it is the "
        "other way round: see what the exercise says of `return`.",
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
        tag="attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="The weights that you return first lie on their side: a column of theirs belongs "
        "to a query, where it should be a row. Those that made your context "
        "stand upright, so you had them that way once. Where do you turn them?",
        edits={"return weights, context": "return weights.T, context"},
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
        tag="attention-input-changed",
        description="Scales the caller's queries in place",
        message="One of Q, K and V is no longer what it was when your function returns, and the "
        "next call starts from other numbers. A quotient or a sum makes a new array; an "
        "assignment to a part of an array, or one that computes and assigns at once, writes into "
        "the old one. Which line of yours does?",
        edits={"scores = Q @ K.T / np.sqrt(d_k)": "Q /= np.sqrt(d_k)\n    scores = Q @ K.T"},
    ),
    Variant(
        tag="attention-squeezed",
        description="Squeezes what is returned: axes of length 1 are lost",
        message="Where a size is 1, what you return is one axis short: a single query should still "
        "give a matrix of one row. Which step of yours drops axes of length 1, and what was it "
        "meant for?",
        edits={"return weights, context": "return np.squeeze(weights), np.squeeze(context)"},
    ),
)
