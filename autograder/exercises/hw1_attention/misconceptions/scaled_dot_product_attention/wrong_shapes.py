"""What learners get wrong in scaled_dot_product_attention: shapes and containers.

They come last: of two mistakes that may both be made, those that leave the shapes alone are tried
first.
"""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="attention-transpose-forgotten",
        description="Multiplies Q K without a transpose",
        message="NumPy can't multiply (n, d_k) with (m, d_k): the sizes that meet in the middle "
        "must be equal. You want the dot product of each row of Q with each row of K, so d_k has "
        "to meet d_k.",
        edits={"Q @ K.T": "Q @ K"},
    ),
    Variant(
        tag="attention-queries-transposed",
        description="Multiplies Qᵀ K: features by features instead of queries by keys",
        message="You transpose the queries instead of the keys. Then NumPy sums over the tokens, "
        "and your scores compare features with features. Write the shapes below the product: "
        "which size must meet in the middle and vanish?",
        edits={"Q @ K.T": "Q.T @ K"},
    ),
    Variant(
        tag="attention-einsum-without-transpose",
        description="Multiplies Q K in einsum: one letter for two different sizes",
        message="Your einsum gives one letter to two axes of different lengths. Each row of Q "
        "should meet each row of K: what the two have in common are the features, and those lie "
        "along the last axis of both. Write the shapes next to the letters.",
        edits={"Q @ K.T": "np.einsum('ij,jk->ik', Q, K)"},
    ),
    Variant(
        tag="attention-product-entry-by-entry",
        description="Multiplies Q * K entry by entry",
        message="Your product of Q and K goes entry by entry, so query i meets key i alone, and "
        "where n and m differ nothing fits. Every query is to be compared with every key. NumPy "
        "has another operator for the dot products of all rows with all rows.",
        edits={"Q @ K.T": "Q * K"},
    ),
    Variant(
        tag="attention-values-from-the-left",
        description="Multiplies V weights instead of weights V",
        message="You multiply the values with the weights from the wrong side: (m, d_v) meets (n, "
        "m), and the sizes in the middle differ. A query's weights are a row, one weight for each "
        "row of V.",
        edits={"weights @ V": "V @ weights"},
    ),
    Variant(
        tag="attention-values-transposed",
        description="Multiplies weights with Vᵀ",
        message="You transpose the values, so a query's weights, one for each key, meet the "
        "features of a value. The keys had to be turned because features should meet features; "
        "here tokens should meet tokens. Which way round does V lie already?",
        edits={"weights @ V": "weights @ V.T"},
    ),
    Variant(
        tag="attention-context-entry-by-entry",
        description="Multiplies weights * V entry by entry",
        message="Your weights meet the values entry by entry, and a matrix of weights doesn't lie "
        "over the values like that: it is (n, m), and they are (m, d_v). A context adds up all the "
        "values, each times its weight. Another operator multiplies and adds.",
        edits={"weights @ V": "weights * V"},
    ),
    Variant(
        tag="attention-first-query-alone",
        description="Answers the first query only, as where `return` stands inside the loop",
        message="Only the first query is answered: one row comes back, whatever n is. If you go "
        "through the queries in a loop: how often does it run before your function returns?",
        edits={"Q @ K.T": "Q[:1] @ K.T"},
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
        tag="attention-context-transposed",
        description="Returns the transposed context",
        message="The context that you return lies on its side: (d_v, n) instead of (n, d_v). Row "
        "i should be what query i takes home. Which of your transposes is one too many?",
        edits={"return weights, context": "return weights, context.T"},
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
        tag="attention-variables-of-another-cell",
        description="Reads queries, keys and values of a demo cell instead of Q, K and V",
        message="Your function reads `queries`, a variable of a cell further down, so it only "
        "works after that cell ran, and always on the same numbers. Inside a function use what "
        "it is given: its arguments.",
        source="def scaled_dot_product_attention(Q, K, V):\n    return queries @ keys.T, values\n",
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
        "for, the weights first. A caller writes `weights, context = …`, and from a dictionary "
        "that takes the names.",
        edits={
            "return weights, context": 'return {"attention_weights": weights, "context": context}'
        },
    ),
)
