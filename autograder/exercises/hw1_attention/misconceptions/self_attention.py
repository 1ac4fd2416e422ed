"""What learners get wrong in self-attention.

Everything is spelt out, for a learner may write it so. Where they call an earlier function and that
one is wrong, the same words hold.
"""

from __future__ import annotations

from autograder.misconceptions import Variant

REFERENCE = """\
def self_attention(X, W_Q, W_K, W_V):
    Q = X @ W_Q
    K = X @ W_K
    V = X @ W_V
    d_k = K.shape[1]
    scores = Q @ K.T / np.sqrt(d_k)
    largest = scores.max(axis=1, keepdims=True)
    powers = np.exp(scores - largest)
    weights = powers / powers.sum(axis=1, keepdims=True)
    context = weights @ V
    return weights, context
"""

WRONG_ROLES = (
    Variant(
        tag="self-attention-queries-and-keys-exchanged",
        description="Makes queries with W_K and keys with W_Q (or multiplies K Qᵀ)",
        message="Queries and keys have changed places, so a token is asked where it should ask. "
        "Row i of the weights is what token i looks at: it comes from the query of token i and "
        "the keys of all. Which matrix makes which, and which of the two comes first in the "
        "product?",
        edits={"Q = X @ W_Q": "Q = X @ W_K", "K = X @ W_K": "K = X @ W_Q"},
    ),
    Variant(
        tag="self-attention-keys-from-w-q",
        description="Makes the keys with W_Q as well (a line copied and not changed)",
        message="Your keys are made by the matrix of the queries. Then what a token looks for and "
        "what it can be found by are the same, and two tokens always score each other equally. "
        "Read your three projections letter by letter.",
        edits={"K = X @ W_K": "K = X @ W_Q"},
    ),
    Variant(
        tag="self-attention-queries-from-w-k",
        description="Makes the queries with W_K as well",
        message="Your queries are made by the matrix of the keys. Then what a token looks for and "
        "what it can be found by are the same, and two tokens always score each other equally. "
        "Read your three projections letter by letter.",
        edits={"Q = X @ W_Q": "Q = X @ W_K"},
    ),
    Variant(
        tag="self-attention-queries-and-keys-not-projected",
        description="Compares the tokens themselves, without W_Q and W_K",
        message="You compare the tokens' features as they are. Then a token matches best whatever "
        "resembles it, a question and its answer alike. What turns one row of X into a "
        "question, and another into something that can answer it?",
        edits={"Q = X @ W_Q": "Q = X", "K = X @ W_K": "K = X"},
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
        "its work once the weights are there. Which matrix makes what a token hands over when it "
        "is found?",
        edits={"V = X @ W_V": "V = K"},
    ),
    Variant(
        tag="self-attention-matrices-transposed",
        description="Multiplies X with the transposed matrices, as PyTorch's Linear stores them",
        message="You transpose the matrices before you multiply. Here each has d_model rows, one "
        "for each feature of a token, so it fits as it is. Write the shapes below the "
        "product: (n, d_model) times what?",
        source=REFERENCE.replace("X @ W_Q", "X @ W_Q.T")
        .replace("X @ W_K", "X @ W_K.T")
        .replace("X @ W_V", "X @ W_V.T"),
    ),
    Variant(
        tag="self-attention-matrices-from-the-left",
        description="Multiplies W X instead of X W",
        message="You multiply the matrices with the tokens from the left, as books do that "
        "write a token as a column. In this notebook a token is a row of X: on which side of X "
        "does d_model stand, and so on which side must the matrix?",
        source=REFERENCE.replace("X @ W_Q", "W_Q @ X")
        .replace("X @ W_K", "W_K @ X")
        .replace("X @ W_V", "W_V @ X"),
    ),
    Variant(
        tag="self-attention-keys-and-values-exchanged",
        description="Makes keys with W_V and values with W_K (or hands them over in that order)",
        message="Keys and values have changed places: what a token is found by and what it hands "
        "over. They need not even have the same number of entries. In which order does your "
        "function for attention take its three arguments, and which matrix makes which?",
        source=REFERENCE.replace("K = X @ W_K", "K = X @ W_V").replace(
            "V = X @ W_V", "V = X @ W_K"
        ),
    ),
    Variant(
        tag="self-attention-context-of-queries",
        description="Averages the queries instead of the values",
        message="Your context averages the queries. A query is what a token asks; an answer is "
        "made of what the others hand over. Which matrix makes that, and have you used it?",
        source=REFERENCE.replace("V = X @ W_V", "V = Q"),
    ),
    Variant(
        tag="self-attention-matrices-themselves",
        description="Hands on W_Q, W_K and W_V themselves: X is never used",
        message="Your queries, keys and values are the matrices themselves, and no token has been "
        "asked. The matrices are the same for every sentence; what turns them into queries, keys "
        "and values of this one?",
        source=REFERENCE.replace("X @ W_Q", "W_Q")
        .replace("X @ W_K", "W_K")
        .replace("X @ W_V", "W_V"),
    ),
    Variant(
        tag="self-attention-values-without-tokens",
        description="Averages the rows of W_V: the values lack X",
        message="Your values are the rows of W_V, the same for every sentence. Queries and keys "
        "are made of the tokens and a matrix; so should the values be. What is missing in front "
        "of W_V?",
        source=REFERENCE.replace("X @ W_V", "W_V"),
    ),
    Variant(
        tag="self-attention-projected-transposed",
        description="Makes Wᵀ Xᵀ: features in the rows, tokens in the columns",
        message="Your queries, keys and values lie on their side, a feature in each row, as books "
        "have it that write a token as a column. In this notebook a row belongs to a token. Write "
        "the shapes below your products: which side should X stand on?",
        source=REFERENCE.replace("X @ W_Q", "W_Q.T @ X.T")
        .replace("X @ W_K", "W_K.T @ X.T")
        .replace("X @ W_V", "W_V.T @ X.T"),
    ),
    Variant(
        tag="self-attention-projected-entry-by-entry",
        description="Multiplies X * W entry by entry",
        message="`*` multiplies entry by entry, and tokens don't lie over a matrix of weights "
        "like that: (n, d_model) meets (d_model, d_k). Each feature of a query adds up all "
        "features of a token. Which operator multiplies and adds?",
        source=REFERENCE.replace("X @ W_Q", "X * W_Q")
        .replace("X @ W_K", "X * W_K")
        .replace("X @ W_V", "X * W_V"),
    ),
    Variant(
        tag="self-attention-values-projected-twice",
        description="Multiplies the context with W_V once more",
        message="W_V is applied twice: to the tokens, and once more to their average. That only "
        "fits where d_v equals d_model, and even there it is another context. Where did the "
        "values get their d_v entries?",
        source=REFERENCE.replace("weights @ V", "weights @ V @ W_V"),
    ),
    Variant(
        tag="self-attention-one-query",
        description="Asks for the first token alone",
        message="Only the first token looks at the others; your weights are a single row. In "
        "self-attention every token asks. How many queries does X have in it?",
        source=REFERENCE.replace("Q = X @ W_Q", "Q = X[:1] @ W_Q"),
    ),
)

WRONG_SCALE = (
    Variant(
        tag="self-attention-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your scores go into softmax just as the dot products come out. With long keys "
        "they are large, and softmax gives nearly everything to one token. One step of "
        "equation 1 stands between the product and softmax: which?",
        edits={" / np.sqrt(d_k)": ""},
    ),
    Variant(
        tag="self-attention-root-forgotten",
        description="Divides by d_k: the root is missing, or the scaling is done twice",
        message="The scores are divided by a whole size, where equation 1 divides by something "
        "smaller, so your weights come out too even. Is a root missing? Or do you divide, and "
        "then call a function that divides again?",
        edits={"np.sqrt(d_k)": "d_k"},
    ),
    Variant(
        tag="self-attention-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so your softmax "
        "picks one token and forgets the rest. Dividing by `d_k ** -0.5` multiplies by the root: "
        "which of the two signs that say 'one over' is one too many?",
        edits={"/ np.sqrt(d_k)": "* np.sqrt(d_k)"},
    ),
    Variant(
        tag="self-attention-scale-d-model",
        description="Takes the scale from d_model instead of d_k",
        message="Your scale comes from d_model, the number of features of a token. But a score is "
        "a dot product of a query and a key: over how many terms does that add up, once the "
        "projection is made?",
        edits={"K.shape[1]": "X.shape[1]"},
    ),
    Variant(
        tag="self-attention-scale-number-of-tokens",
        description="Takes the scale from the number of tokens instead of d_k",
        message="Your scale depends on how many tokens there are, where it should depend on "
        "how long a key is. `len` counts rows: which entry of the shape is the length of one?",
        edits={"K.shape[1]": "len(X)"},
    ),
    Variant(
        tag="self-attention-scale-size-of-values",
        description="Takes the scale from the size of the values d_v instead of d_k",
        message="Your scale comes from the size of the values. But a score is a dot product of a "
        "query and a key, and no value has touched it yet. Over how many terms does that product "
        "add up?",
        edits={"K.shape[1]": "W_V.shape[1]"},
    ),
    Variant(
        tag="self-attention-scaled-three-times",
        description="Scales queries, keys and then the scores as well",
        message="You divide the queries, the keys, and (perhaps in an earlier function) their "
        "product: the scores shrink far too much, and the weights come out nearly even. How often "
        "does √d_k stand in equation 1?",
        source=REFERENCE.replace("np.sqrt(d_k)", "d_k**1.5"),
    ),
    Variant(
        tag="self-attention-scale-of-the-example",
        description="Divides by √3, the d_k of the notebook's three words",
        message="You divide by the root of 3, which is the d_k of the notebook's three words. "
        "Here d_k may be anything; it is a size of arrays that you are given. Of which, and along "
        "which axis?",
        source=REFERENCE.replace("np.sqrt(d_k)", "np.sqrt(3)"),
    ),
)

WRONG_SOFTMAX = (
    Variant(
        tag="self-attention-softmax-over-queries",
        description="Softmax along the queries' axis (axis=0) instead of the keys'",
        message="Your softmax runs down the columns, so the tokens compete for who may look at a "
        "token. Each token divides its own attention among all, and that is a row of the weights. "
        "If you call an earlier function for this step, look there first.",
        edits={"axis=1": "axis=0"},
    ),
    Variant(
        tag="self-attention-softmax-over-everything",
        description="One softmax over the whole matrix of scores",
        message="Your softmax runs over the whole matrix at once, so all tokens together divide "
        "one attention. Each token has its own to give away: which entries of the scores belong "
        "to one? If you call an earlier function for this step, look there first.",
        edits={"axis=1": "axis=None"},
    ),
    Variant(
        tag="self-attention-softmax-unstable",
        description="Exponentiates the scores as they are: overflows for large ones",
        message="Scores in the thousands give nan, because they reach np.exp at full size, where "
        "it overflows. In part 1 you found a shift that leaves softmax as it is and keeps the "
        "exponents harmless; here it is needed as well.",
        edits={"scores - largest": "scores"},
    ),
    Variant(
        tag="self-attention-softmax-one-shift-for-all",
        description="Moves all scores by one maximum, so tokens with low scores get nan",
        message="You move the scores of all tokens by the same amount, the largest of all. A "
        "token whose scores lie far below it is left with nothing but zeros to divide by. Which "
        "largest score does each token need?",
        edits={"scores - largest": "scores - scores.max()"},
    ),
    Variant(
        tag="self-attention-no-softmax",
        description="Uses the scores as weights",
        message="You use the scores themselves as weights. They may be negative, and a token's "
        "don't sum to 1, so the context is no average. Which function turns any scores into "
        "proportions?",
        edits={"weights = powers / powers.sum(axis=1, keepdims=True)": "weights = scores"},
    ),
    Variant(
        tag="self-attention-causal-mask",
        description="Hides later tokens with a causal mask that nobody asked for",
        message="You let a token see only the tokens up to its own place. That is the mask of a "
        "decoder, which must not look ahead; here every token may look at every token.",
        edits={
            "    largest =": "    scores = np.where(np.tri(*scores.shape) > 0, scores, -np.inf)\n"
            "    largest ="
        },
    ),
    Variant(
        tag="self-attention-keepdims-lost",
        description="Forgets keepdims=True in maximum and sum",
        message="A sum or a maximum removes the axis that it runs along, and NumPy lines the (n,) "
        "numbers up with the columns. As the weights are square here, nothing crashes: each row "
        "silently gets the numbers of other rows. What keeps the axis in place, with length 1?",
        source=REFERENCE.replace(", keepdims=True", ""),
    ),
    Variant(
        tag="self-attention-keepdims-lost-in-the-sum",
        description="Forgets keepdims=True in the sum alone",
        message="Your sum removes the axis that it runs along, and NumPy lines the (n,) sums up "
        "with the columns. As the weights are square here, nothing crashes: each row is silently "
        "divided by the sums of other rows. What keeps the axis in place, with length 1?",
        source=REFERENCE.replace("powers.sum(axis=1, keepdims=True)", "powers.sum(axis=1)"),
    ),
    Variant(
        tag="self-attention-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice, perhaps once in an earlier function and once here. The "
        "second time its scores are shares between 0 and 1, which lie close together, so the "
        "weights come out nearly even. Which of the two is one too many?",
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
        tag="self-attention-softmax-on-the-weights",
        description="Returns softmax of the weights beside a right context",
        message="Your context is right, but the weights that you return went through softmax once "
        "more, and came out nearly even. The earlier function hands you weights, not scores. What "
        "is left to do with them?",
        source=REFERENCE.replace(
            "return weights,",
            ("return np.exp(weights) / np.exp(weights).sum(axis=1, keepdims=True),"),
        ),
    ),
    Variant(
        tag="self-attention-projections-softmaxed",
        description="Applies softmax to queries and keys",
        message="Your queries and keys go through a softmax before they meet, so each is a list "
        "of shares, and all scores lie close together. In equation 1, what is inside softmax: one "
        "of the two, or their product?",
        source=REFERENCE.replace(
            "Q = X @ W_Q",
            (
                "Q = np.exp(X @ W_Q - (X @ W_Q).max(axis=1, keepdims=True))\n"
                "    Q = Q / Q.sum(axis=1, keepdims=True)"
            ),
        ).replace(
            "K = X @ W_K",
            (
                "K = np.exp(X @ W_K - (X @ W_K).max(axis=1, keepdims=True))\n"
                "    K = K / K.sum(axis=1, keepdims=True)"
            ),
        ),
    ),
    Variant(
        tag="self-attention-not-to-itself",
        description="Hides each token from itself",
        message="No token of yours may look at itself: the diagonal of your weights is 0. Nothing "
        "in equation 1 forbids it, and often a token's own value is what it needs most. Who asked "
        "for that mask?",
        source=REFERENCE.replace(
            "    largest =",
            ("    scores = np.where(np.eye(len(X)) > 0, -np.inf, scores)\n    largest ="),
        ),
    ),
)

WRONG_RESULT = (
    Variant(
        tag="self-attention-weights-transposed",
        description="Multiplies the values with the transposed weights",
        message="You turn the weights around before you multiply them with the values, so each "
        "token collects by how much it is looked at. A token's weights are one row and should "
        "meet the rows of V: do they have to be turned?",
        edits={"weights @ V": "weights.T @ V"},
    ),
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
        source=REFERENCE.replace("weights @ V", "X + weights @ V"),
    ),
    Variant(
        tag="self-attention-values-added",
        description="Adds the values to the context",
        message="You add the tokens' own values to the context, as if each looked at itself with "
        "a weight of 1 more. The weights say already how much of itself a token takes. Where does "
        "equation 1 end?",
        source=REFERENCE.replace("weights @ V", "V + weights @ V"),
    ),
    Variant(
        tag="self-attention-context-of-scores",
        description="Multiplies the values with the scores instead of the weights",
        message="You multiply the values with the scores, before softmax, so the context is no "
        "average: the factors may be negative and don't sum to 1. Which of your arrays holds "
        "proportions?",
        source=REFERENCE.replace("weights @ V", "scores @ V"),
    ),
    Variant(
        tag="self-attention-weights-applied-twice",
        description="Multiplies the context with the weights once more",
        message="Your context has been averaged twice: the earlier function returns it ready, and "
        "you multiply it with the weights once more. In which of the two results are the values "
        "in already?",
        source=REFERENCE.replace("weights @ V", "weights @ (weights @ V)"),
    ),
    Variant(
        tag="self-attention-one-context",
        description="Averages the contexts of all tokens into one",
        message="You average over the tokens at the end, so one vector is left for the whole "
        "sentence. Each token has a context of its own: row i is what token i takes home. Which "
        "axis went missing?",
        source=REFERENCE.replace("weights @ V", "(weights @ V).mean(axis=0)"),
    ),
    Variant(
        tag="self-attention-scores-returned",
        description="Returns the scores in place of the attention weights",
        message="The array that you return first holds the scores, where the attention weights "
        "should be. A token's weights are positive and sum to 1: at which line do your numbers "
        "become so, and which name do they have from there on?",
        source=REFERENCE.replace("return weights, context", "return scores, context"),
    ),
    Variant(
        tag="self-attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="The weights that you return first lie on their side: a column of theirs belongs "
        "to the token that looks, where it should be a row. Your context is right, so you had "
        "them the right way round once. Where do you turn them?",
        source=REFERENCE.replace("return weights, context", "return weights.T, context"),
    ),
    Variant(
        tag="self-attention-rounded",
        description="Rounds the results to three decimals",
        message="You round what you return. For reading that is nice, but whoever goes on with "
        "the numbers has lost the rest of them: the next layer, for one. Who should round, and "
        "when?",
        source=REFERENCE.replace(
            "return weights, context", "return weights.round(3), context.round(3)"
        ),
    ),
    Variant(
        tag="self-attention-rounded-coarsely",
        description="Rounds the results to two decimals",
        message="You round what you return to two decimals. For reading that is nice, but whoever "
        "goes on with the numbers has lost the rest of them: the next layer, for one. Who should "
        "round, and when?",
        source=REFERENCE.replace(
            "return weights, context", "return weights.round(2), context.round(2)"
        ),
    ),
    Variant(
        tag="self-attention-order-swapped",
        description="Returns (context, attention_weights)",
        message="You return the context first, as PyTorch does. In this assignment it is the "
        "other way round: see the line in bold above the exercise.",
        edits={"return weights, context": "return context, weights"},
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
        tag="self-attention-input-changed",
        description="Writes into X or one of the matrices",
        message="One of the arrays that your function is given has changed when it returns: "
        "`W_Q /= ...` or `X[i] = ...` writes into the caller's array, and the next call starts "
        "from other numbers. `W_Q / ...` makes a new array and leaves the old one alone.",
        edits={
            "    Q = X @ W_Q": "    W_Q /= np.sqrt(W_Q.shape[1])\n    Q = X @ W_Q",
            "/ np.sqrt(d_k)": "",
        },
    ),
    Variant(
        tag="self-attention-nothing-returned",
        description="Computes, perhaps prints, but doesn't return",
        message="Your function comes to its end without handing anything back, so its caller gets "
        "None. Calling an earlier function computes the two results; only one statement hands "
        "them on.",
        source="def self_attention(X, W_Q, W_K, W_V):\n    pass\n",
    ),
    Variant(
        tag="self-attention-variables-of-another-cell",
        description="Reads X_words and its matrices of a demo cell instead of the arguments",
        message="Your function reads `X_words`, a variable of a cell further down, so it only "
        "works after that cell ran, and always on the same sentence. Inside a function use what "
        "it is given: its arguments.",
        source="def self_attention(X, W_Q, W_K, W_V):\n    return X_words @ W_Q_words, X_words\n",
    ),
)

MISCONCEPTIONS = (*WRONG_ROLES, *WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_RESULT)
