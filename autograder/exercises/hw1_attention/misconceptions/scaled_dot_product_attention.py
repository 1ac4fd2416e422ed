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
    Variant(
        tag="attention-scale-squared",
        description="Divides by the square of d_k instead of its root",
        message="You square d_k where equation 1 takes its root, so the scores shrink to almost "
        "nothing and every key gets nearly the same weight. Which of the two makes a number "
        "smaller?",
        source=REFERENCE.replace("np.sqrt(d_k)", "d_k**2"),
    ),
    Variant(
        tag="attention-scale-number-of-entries",
        description="Takes the scale from K.size, the number of all entries",
        message="Your scale comes from the number of all entries of a matrix, so it grows with "
        "every key that is added. A score is the product of one query and one key: over how many "
        "terms does it add up?",
        source=REFERENCE.replace("K.shape[1]", "K.size"),
    ),
    Variant(
        tag="attention-context-scaled-instead",
        description="Divides the context by the root of d_k instead of the scores",
        message="You divide the context at the end, so the average comes out too small, and the "
        "scores go into softmax at full size. In equation 1, is the fraction inside softmax or "
        "outside?",
        source=REFERENCE.replace(" / np.sqrt(d_k)", "").replace(
            "weights @ V", "weights @ V / np.sqrt(d_k)"
        ),
    ),
    Variant(
        tag="attention-cosine",
        description="Divides queries and keys by their lengths (cosine) instead of using √d_k",
        message="You divide each query and each key by its length, so that only their directions "
        "are compared. That is another kind of attention; in equation 1 a long key counts for "
        "more, and one number divides all scores alike. Which?",
        source=REFERENCE.replace(
            "Q @ K.T / np.sqrt(d_k)",
            ("Q @ K.T / np.linalg.norm(Q, axis=1)[:, None] / np.linalg.norm(K, axis=1)"),
        ),
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
    Variant(
        tag="attention-keepdims-lost",
        description="Forgets keepdims=True in maximum and sum",
        message="A sum or a maximum removes the axis that it runs along, and NumPy then lines the "
        "(n,) numbers up with the columns. Mostly it crashes; with as many queries as keys, each "
        "row silently gets the numbers of other rows. What keeps the axis in place, with length "
        "1?",
        source=REFERENCE.replace(", keepdims=True", ""),
    ),
    Variant(
        tag="attention-keepdims-lost-in-the-sum",
        description="Forgets keepdims=True in the sum alone",
        message="Your sum removes the axis that it runs along, and NumPy then lines the (n,) sums "
        "up with the columns. Mostly it crashes; with as many queries as keys, each row is "
        "silently divided by the sums of other rows. What keeps the axis in place, with length 1?",
        source=REFERENCE.replace("powers.sum(axis=1, keepdims=True)", "powers.sum(axis=1)"),
    ),
    Variant(
        tag="attention-keepdims-lost-and-unstable",
        description="Forgets keepdims=True in the sum, and doesn't shift the scores",
        message="Two things at once: the sum loses its axis, so that rows are divided by the sums "
        "of other rows (what keeps the axis, with length 1?); and scores in the thousands reach "
        "np.exp at full size, where it overflows. Does the softmax of part 1 do better?",
        source=REFERENCE.replace("scores - largest", "scores").replace(
            "powers.sum(axis=1, keepdims=True)", "powers.sum(axis=1)"
        ),
    ),
    Variant(
        tag="attention-nan-hidden",
        description="Lets the exponentials overflow and replaces nan by 0",
        message="You let np.exp overflow and write 0 wherever nan came out. Then the key that "
        "matches best gets nothing at all. A number that was lost can't be repaired afterwards: "
        "what did your softmax of part 1 do to the scores first?",
        source=REFERENCE.replace("scores - largest", "scores").replace(
            "powers / powers.sum(axis=1, keepdims=True)",
            "np.nan_to_num(powers / powers.sum(axis=1, keepdims=True))",
        ),
    ),
    Variant(
        tag="attention-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice. The second time its scores are shares between 0 and 1, "
        "which lie close together, so the weights come out nearly even. Once is enough: which of "
        "the two belongs to equation 1?",
        source=REFERENCE.replace(
            "    context =",
            (
                "    powers = np.exp(weights)\n"
                "    weights = powers / powers.sum(axis=1, keepdims=True)\n"
                "    context ="
            ),
        ),
    ),
    Variant(
        tag="attention-scores-negated",
        description="Gives the most weight to the key that matches worst",
        message="The key that matches a query worst gets the most of its attention, as if the "
        "scores had the other sign. A dot product is large where two vectors agree: is there a "
        "minus on its way into your exponential?",
        source=REFERENCE.replace("scores - largest", "scores.min(axis=1, keepdims=True) - scores"),
    ),
    Variant(
        tag="attention-winner-takes-all",
        description="Gives all the weight to the best key (argmax)",
        message="Each query gives everything to its best key. Where two keys match equally well "
        "or nearly so, softmax shares: it is a soft maximum, and the other keys keep a part. What "
        "stands where you look for the largest score?",
        source=REFERENCE.replace(
            "powers / powers.sum(axis=1, keepdims=True)", "np.eye(len(K))[scores.argmax(axis=1)]"
        ),
    ),
    Variant(
        tag="attention-uniform",
        description="Gives every key the same weight, whatever the scores",
        message="Every key gets the same weight, whatever the query asks, so the context is the "
        "plain mean of the values. What do you do with the products of queries and keys?",
        source=REFERENCE.replace(
            "powers / powers.sum(axis=1, keepdims=True)", "np.ones_like(powers) / len(K)"
        ),
    ),
    Variant(
        tag="attention-scores-over-their-sum",
        description="Divides the scores by their sum, without exponentials",
        message="You divide the scores by their sum. A negative score then gets a negative "
        "weight, and scores that sum to nearly 0 explode. Softmax does something to each score "
        "before it divides, so that all become positive: what?",
        source=REFERENCE.replace(
            "powers / powers.sum(axis=1, keepdims=True)",
            "scores / scores.sum(axis=1, keepdims=True)",
        ),
    ),
    Variant(
        tag="attention-sigmoid",
        description="Applies the sigmoid to each score",
        message="You treat each score by itself, with the sigmoid, so a query's weights don't sum "
        "to 1. The keys compete for a query: which function looks at all scores of a row at once?",
        source=REFERENCE.replace(
            "powers / powers.sum(axis=1, keepdims=True)", "1 / (1 + np.exp(-scores))"
        ),
    ),
    Variant(
        tag="attention-relu-normalised",
        description="Sets negative scores to 0 and divides by the sum",
        message="You drop negative scores and share out the rest as it is. A key that matches "
        "badly still has a right to a small share, and one that matches well to more than its "
        "part of the sum. Which function turns any scores into proportions?",
        source=REFERENCE.replace(
            "powers / powers.sum(axis=1, keepdims=True)",
            ("np.maximum(scores, 0) / np.maximum(scores, 0).sum(axis=1, keepdims=True)"),
        ),
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
    Variant(
        tag="attention-einsum-without-transpose",
        description="Multiplies Q K in einsum: one letter for two different sizes",
        message="Your einsum gives one letter to two axes of different lengths. Each row of Q "
        "should meet each row of K: the letter that both share is that of the features, and it "
        "stands last in both. Write the shapes next to the letters.",
        source=REFERENCE.replace("Q @ K.T", "np.einsum('ij,jk->ik', Q, K)"),
    ),
    Variant(
        tag="attention-product-entry-by-entry",
        description="Multiplies Q * K entry by entry",
        message="`*` multiplies entry by entry, so query i meets key i alone, and where n and m "
        "differ nothing fits. Every query is to be compared with every key. Which operator takes "
        "the dot products of all rows with all rows?",
        source=REFERENCE.replace("Q @ K.T", "Q * K"),
    ),
    Variant(
        tag="attention-queries-with-queries",
        description="Compares queries with queries (Q Qᵀ)",
        message="You compare the queries with each other, and the keys have no say. What a query "
        "looks for should be compared with what the keys offer. Read the product in equation 1 "
        "letter by letter.",
        source=REFERENCE.replace("Q @ K.T", "Q @ Q.T"),
    ),
    Variant(
        tag="attention-keys-with-keys",
        description="Compares keys with keys (K Kᵀ)",
        message="You compare the keys with each other, and no query is asked. A row of the scores "
        "should belong to a query. Read the product in equation 1 letter by letter.",
        source=REFERENCE.replace("Q @ K.T", "K @ K.T"),
    ),
    Variant(
        tag="attention-queries-with-values",
        description="Compares queries with values (Q Vᵀ)",
        message="You compare the queries with the values. A value is what a token hands over; by "
        "what it is found is another matter, and need not even have as many entries. Which of the "
        "three inputs haven't you used?",
        source=REFERENCE.replace("Q @ K.T", "Q @ V.T"),
    ),
    Variant(
        tag="attention-distances",
        description="Scores by negative squared distance instead of the dot product",
        message="You score a key by how near it lies to the query. That is a fair measure, but "
        "another one: with equation 1 a long key that points the right way beats a short one. "
        "Which product does it take?",
        source=REFERENCE.replace("Q @ K.T", "-((Q[:, None] - K) ** 2).sum(-1)"),
    ),
    Variant(
        tag="attention-as-many-keys-as-queries",
        description="Loops over as many keys as there are queries",
        message="You go through as many keys as there are queries. In self-attention the two "
        "numbers agree; here there may be more keys, or fewer. Which shape tells how many keys "
        "there are?",
        source=REFERENCE.replace(
            "scores = Q @ K.T / np.sqrt(d_k)",
            (
                "n = len(Q)\n"
                "    scores = np.array([[Q[i] @ K[j] for j in range(n)] for i in range(n)]) "
                "/ np.sqrt(d_k)"
            ),
        ),
    ),
    Variant(
        tag="attention-values-from-the-left",
        description="Multiplies V weights instead of weights V",
        message="You multiply the values with the weights from the wrong side: (m, d_v) meets (n, "
        "m), and the sizes in the middle differ. A query's weights are a row; with what must that "
        "row meet to average the rows of V?",
        source=REFERENCE.replace("weights @ V", "V @ weights"),
    ),
    Variant(
        tag="attention-values-transposed",
        description="Multiplies weights with Vᵀ",
        message="You transpose the values, so a query's weights, one for each key, meet the "
        "features of a value. The keys had to be turned because features should meet features; "
        "here tokens should meet tokens. Which way round does V lie already?",
        source=REFERENCE.replace("weights @ V", "weights @ V.T"),
    ),
    Variant(
        tag="attention-context-entry-by-entry",
        description="Multiplies weights * V entry by entry",
        message="`*` multiplies entry by entry, and a matrix of weights doesn't lie over the "
        "values like that: (n, m) meets (m, d_v). A context adds up all the values, each times "
        "its weight. Which operator multiplies and adds?",
        source=REFERENCE.replace("weights @ V", "weights * V"),
    ),
    Variant(
        tag="attention-context-of-queries",
        description="Averages the queries instead of the values",
        message="Your context averages the queries. A query is what a token asks; an answer is "
        "made of what the others hand over. Which of the three inputs haven't you used?",
        source=REFERENCE.replace("weights @ V", "weights @ Q"),
    ),
    Variant(
        tag="attention-context-a-mean",
        description="Divides the context by the number of keys as well",
        message="Your context comes out too small, by the number of keys: you average twice. The "
        "weights of a query sum to 1 already, so the sum that they make is an average. What do "
        "you divide by at the end?",
        source=REFERENCE.replace("weights @ V", "weights @ V / len(V)"),
    ),
    Variant(
        tag="attention-residual-added",
        description="Adds the queries to the context",
        message="You add the queries to the context. That is the residual connection, which comes "
        "later and outside this function; here queries and values need not even have the same "
        "number of columns. Where does equation 1 end?",
        source=REFERENCE.replace("weights @ V", "weights @ V + Q"),
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
        tag="attention-three-results",
        description="Returns (scores, attention_weights, context)",
        message="You return three things, the scores among them. Two are asked for: which of "
        "yours are positive and sum to 1, and which holds an average of the values?",
        source=REFERENCE.replace("return weights, context", "return scores, weights, context"),
    ),
    Variant(
        tag="attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="The weights that you return first lie on their side: a column of theirs belongs "
        "to a query, where it should be a row. Your context is right, so you had them the right "
        "way round once. Where do you turn them?",
        source=REFERENCE.replace("return weights, context", "return weights.T, context"),
    ),
    Variant(
        tag="attention-context-transposed",
        description="Returns the transposed context",
        message="The context that you return lies on its side: (d_v, n) instead of (n, d_v). Row "
        "i should be what query i takes home. Which of your transposes is one too many?",
        source=REFERENCE.replace("return weights, context", "return weights, context.T"),
    ),
    Variant(
        tag="attention-rounded",
        description="Rounds the weights to three decimals",
        message="You round the weights. For reading that is nice, but many small weights vanish, "
        "a query's no longer sum to 1, and whoever goes on with them has lost the rest. Who "
        "should round, and when?",
        source=REFERENCE.replace("    context =", "    weights = weights.round(3)\n    context ="),
    ),
    Variant(
        tag="attention-results-rounded",
        description="Rounds what is returned to three decimals",
        message="You round what you return. For reading that is nice, but whoever goes on with "
        "the numbers has lost the rest of them: the next layer, for one. Who should round, and "
        "when?",
        source=REFERENCE.replace(
            "return weights, context", "return weights.round(3), context.round(3)"
        ),
    ),
    Variant(
        tag="attention-lists-of-rows",
        description="Returns lists of rows instead of arrays",
        message="The numbers may be right, but they come back in lists of rows, not in arrays, "
        "and with a list nobody can go on computing. What puts the rows that your loop collects "
        "together again, or can you do without the loop?",
        source=REFERENCE.replace("return weights, context", "return list(weights), list(context)"),
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
