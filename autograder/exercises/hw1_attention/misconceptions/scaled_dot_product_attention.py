"""What learners get wrong in scaled dot-product attention.

The softmax is spelt out, for a learner may write one here too. Where they call the one from above
and that one is wrong, the same words hold.
"""

from __future__ import annotations

from autograder.misconceptions import Variant

REFERENCE = """\
def scaled_dot_product_attention(Q, K, V):
    d_k = K.shape[1]
    scores = Q @ K.T / np.sqrt(d_k)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    weights = powers / powers.sum(axis=1, keepdims=True)
    context = weights @ V
    return weights, context
"""

WRONG_SCALE = (
    Variant(
        tag="attention-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your scores go into softmax just as the dot products come out. With long keys "
        "they are large, and softmax gives nearly everything to one key. One step of equation 1 "
        "stands between the product and softmax: which?",
        edits={" / np.sqrt(d_k)": ""},
    ),
    Variant(
        tag="attention-root-forgotten",
        description="Divides by d_k instead of its root (or by the root twice)",
        message="The scores are divided by a whole size, where equation 1 divides by something "
        "smaller, so your weights come out too even. Is a root missing, or is the division made "
        "twice?",
        edits={"np.sqrt(d_k)": "d_k"},
    ),
    Variant(
        tag="attention-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so your softmax "
        "picks one key and forgets the rest. Dividing by `d_k ** -0.5` multiplies by the root: "
        "which of the two signs that say 'one over' is one too many?",
        edits={"/ np.sqrt(d_k)": "* np.sqrt(d_k)"},
    ),
    Variant(
        tag="attention-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after softmax, so a query's weights no longer sum to 1, and the "
        "scores still go into softmax at full size. In equation 1, is the fraction inside "
        "softmax or outside?",
        edits={
            " / np.sqrt(d_k)": "",
            "    context =": "    weights = weights / np.sqrt(d_k)\n    context =",
        },
    ),
    Variant(
        tag="attention-scale-number-of-keys",
        description="Takes the scale from the number of keys instead of their size d_k",
        message="Your scale depends on how many keys there are, where it should depend on how "
        "long each of them is. A key is a row of K: which entry of K.shape is the length of a row?",
        edits={"K.shape[1]": "K.shape[0]"},
    ),
    Variant(
        tag="attention-scale-number-of-queries",
        description="Takes the scale from the number of queries instead of their size d_k",
        message="Your scale depends on how many queries there are (`len(Q)` counts rows), where it "
        "should depend on how long each of them is. Which entry of Q.shape is that?",
        edits={"K.shape[1]": "Q.shape[0]"},
    ),
    Variant(
        tag="attention-scale-size-of-values",
        description="Takes the scale from the size of the values d_v instead of d_k",
        message="Your scale comes from the size of the values. But a score is a dot product of a "
        "query and a key, and no value has touched it yet. Over how many terms does that product "
        "add up?",
        edits={"K.shape[1]": "V.shape[1]"},
    ),
)

WRONG_SOFTMAX = (
    Variant(
        tag="attention-softmax-over-queries",
        description="Softmax along the queries' axis (axis=0) instead of the keys'",
        message="Your softmax runs down the columns of the scores, so the queries compete for "
        "each key. It is each query that divides its attention among the keys: along which axis "
        "of the (n, m) scores do the keys lie? If you call your own softmax, look there first.",
        edits={"axis=1": "axis=0"},
    ),
    Variant(
        tag="attention-softmax-over-everything",
        description="One softmax over the whole matrix of scores",
        message="Your softmax runs over the whole matrix at once, so all queries together divide "
        "one attention. Each query has its own to give away: which entries of the scores belong "
        "to one query? If you call your own softmax, look there first.",
        edits={"axis=1": "axis=None"},
    ),
    Variant(
        tag="attention-softmax-unstable",
        description="Exponentiates the scores as they are: overflows for large ones",
        message="Scores in the thousands give nan, because they reach np.exp at full size, where "
        "it overflows. In part 1 you found a shift that leaves softmax as it is and keeps the "
        "exponents harmless; here it is needed as well.",
        edits={"scores - largest": "scores"},
    ),
    Variant(
        tag="attention-softmax-one-shift-for-all",
        description="Moves all scores by one maximum, so queries with low scores get nan",
        message="You move the scores of all queries by the same amount, the largest of all. A "
        "query whose scores lie far below it is left with nothing but zeros to divide by. Which "
        "largest score does each query need?",
        edits={"scores - largest": "scores - scores.max()"},
    ),
    Variant(
        tag="attention-no-softmax",
        description="Uses the scores as weights",
        message="You use the scores themselves as weights. They may be negative, and a query's "
        "don't sum to 1, so the context is no average. Which function turns any scores into "
        "proportions?",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = scores"},
    ),
    Variant(
        tag="attention-not-normalised",
        description="Takes the exponentials as weights without dividing by their sum",
        message="Your weights are exponentials that nobody divided by their sum, so a query's "
        "don't add up to 1. To be an average, the context needs proportions: which half of "
        "softmax is missing?",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = powers"},
    ),
    Variant(
        tag="attention-causal-mask",
        description="Hides later keys with a causal mask that nobody asked for",
        message="You let a query see only the keys up to its own place. That is the mask of "
        "a decoder, which must not look ahead; equation 1 has none, and every query "
        "may look at every key.",
        edits={
            "    largest =": "    scores = np.where(np.tri(*scores.shape) > 0, scores, -np.inf)\n"
            "    largest ="
        },
    ),
)

WRONG_PRODUCT = (
    Variant(
        tag="attention-queries-and-keys-exchanged",
        description="Multiplies K Qᵀ instead of Q Kᵀ",
        message="The rows of your scores belong to the keys and the columns to the queries; it "
        "should be the other way round, so that each row of the weights is one query's. "
        "Transposing a product exchanges its factors: which of them comes first in equation 1?",
        edits={"Q @ K.T": "K @ Q.T"},
    ),
    Variant(
        tag="attention-transpose-forgotten",
        description="Multiplies Q K without a transpose",
        message="NumPy can't multiply (n, d_k) with (m, d_k): the sizes that meet in the middle "
        "must be equal. You want the dot product of each row of Q with each row of K: what has to "
        "happen to one of them, so that d_k meets d_k?",
        source=REFERENCE.replace("Q @ K.T", "Q @ K"),  # whatever comes after it, it crashes here
    ),
    Variant(
        tag="attention-queries-transposed",
        description="Multiplies Qᵀ K: features by features instead of queries by keys",
        message="You transpose the queries instead of the keys. Then NumPy sums over the tokens, "
        "and your scores compare features with features. Write the shapes below the product: "
        "which size must meet in the middle and vanish?",
        source=REFERENCE.replace("Q @ K.T", "Q.T @ K"),
    ),
    Variant(
        tag="attention-context-of-keys",
        description="Averages the keys instead of the values",
        message="Your context averages the keys. A key is what a token is found by, and has done "
        "its work once the weights are there. What does a token hand over when it is found?",
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
        tag="attention-weights-transposed",
        description="Multiplies the values with the transposed weights",
        message="You turn the weights around before you multiply them with the values, so each "
        "key collects by how much it is looked at. A query's weights are one row and should "
        "meet the rows of V: do they have to be turned?",
        edits={"weights @ V": "weights.T @ V"},
    ),
)

WRONG_RESULT = (
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
        tag="attention-input-changed",
        description="Scales the caller's queries in place",
        message="One of Q, K and V has changed when your function returns. `Q /= ...` writes into "
        "the caller's array, so their queries are smaller than before and a second call gives "
        "another answer. `Q / ...` makes a new array and leaves the old one alone.",
        edits={"scores = Q @ K.T / np.sqrt(d_k)": "Q /= np.sqrt(d_k)\n    scores = Q @ K.T"},
    ),
    Variant(
        tag="attention-nothing-returned",
        description="Computes, perhaps prints, but doesn't return",
        message="Your function comes to its end without handing anything back, so its caller gets "
        "None. Printing a result shows it to you; only one statement gives it to the caller.",
        source="def scaled_dot_product_attention(Q, K, V):\n    pass\n",
    ),
    Variant(
        tag="attention-variables-of-another-cell",
        description="Reads queries, keys and values of a demo cell instead of Q, K and V",
        message="Your function reads `queries`, `keys` and `values`. Those are variables of a cell "
        "further down, so it only works after that cell ran, and always on the same numbers. "
        "Inside a function use what it is given: its arguments.",
        source="def scaled_dot_product_attention(Q, K, V):\n    return queries @ keys.T, values\n",
    ),
)

MISCONCEPTIONS = (*WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_PRODUCT, *WRONG_RESULT)
