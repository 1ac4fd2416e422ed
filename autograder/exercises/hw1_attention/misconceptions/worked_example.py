"""What learners get wrong in the worked example.

Everything is spelt out, for a learner may write it so. Where they call an earlier function and that
one is wrong, the same words hold.
"""

from __future__ import annotations

from autograder.misconceptions import Variant

# Softmax along the last axis, so that it works for the matrices too that some mistakes lead to.
REFERENCE = """\
def worked_example(X, W_Q, W_K, W_V, token):
    query = X[token] @ W_Q
    keys = X @ W_K
    values = X @ W_V
    d_k = W_K.shape[1]
    scores = query @ keys.T / np.sqrt(d_k)
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    weights = powers / powers.sum(axis=-1, keepdims=True)
    context = weights @ values
    output = X[token] + context
    steps = {"query": query, "keys": keys, "values": values, "scores": scores}
    steps |= {"weights": weights, "context": context, "output": output}
    return steps
"""

WRONG_TOKEN = (
    Variant(
        tag="example-token-ignored",
        description="Follows the first token, whichever is asked for",
        message="You follow the first token, whichever one is asked for. The notebook's table is "
        "about token 0, but your function is told by an argument which row of X to follow.",
        edits={"X[token]": "X[0]"},
    ),
    Variant(
        tag="example-token-counted-from-one",
        description="Takes row token - 1",
        message="You follow the row before the one that is asked for. Here tokens are counted as "
        "NumPy counts rows: which number has the first?",
        edits={"X[token]": "X[token - 1]"},
    ),
    Variant(
        tag="example-every-token-at-once",
        description="Computes the steps for all tokens instead of the one asked for",
        message="You take every token through the steps, so that matrices come back where vectors "
        "are asked for. Keys and values belong to all tokens, but there is one query: whose?",
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
        "itself, and its weight is always 1. Whom can a token look at, and what does each of them "
        "have to offer?",
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
        source=REFERENCE.replace("X[token]", "X[:, token]"),
    ),
    Variant(
        tag="example-only-its-own-value",
        description="Gives the context of the one token's value alone",
        message="Your `context` holds the token's own value and nothing of the others', though "
        "the weights are shared among all. An average adds up every value, each times its weight. "
        "Over which tokens does your sum run?",
        source=REFERENCE.replace("weights @ values", "weights[token] * values[token]"),
    ),
    Variant(
        tag="example-causal",
        description="Lets the token see only what stands before it",
        message="Your token sees only itself and what stands before it. That is for a decoder, "
        "which must not look ahead; here every token has a key and a value, and all may be looked "
        "at. Which rows of X do yours come from?",
        source=REFERENCE.replace("X @ W_K", "X[: token + 1] @ W_K").replace(
            "X @ W_V", "X[: token + 1] @ W_V"
        ),
    ),
    Variant(
        tag="example-not-to-itself",
        description="Hides the token from itself",
        message="Your token may not look at itself: its own score is set to minus infinity. "
        "Nothing in the table forbids it, and often a token's own value is what it needs most. "
        "Which line does that?",
        source=REFERENCE.replace("    powers =", "    scores[token] = -np.inf\n    powers ="),
    ),
    Variant(
        tag="example-queries-of-all-tokens",
        description="Returns the queries of all tokens as `query`",
        message="Your `query` holds the queries of all tokens, a matrix. Keys and values belong "
        "to all, but the one who asks is a single token: which row of yours is it?",
        source=REFERENCE.replace('"query": query', '"query": X @ W_Q'),
    ),
    Variant(
        tag="example-asked-by-all",
        description="Takes the token's column of the scores instead of its row",
        message="Your scores are those of all queries with this token's key: how much the "
        "*others* look at it. You want how much it looks at them. In the matrix of all scores, do "
        "queries number the rows or the columns?",
        source=REFERENCE.replace("scores = query @ keys.T", "scores = X @ W_Q @ keys[token]"),
    ),
)

WRONG_SCORES = (
    Variant(
        tag="example-queries-and-keys-exchanged",
        description="Makes the query with W_K and the keys with W_Q",
        message="Your query is made by the matrix of the keys, and the keys by that of the query. "
        "Read the first two rows of the table once more: which matrix makes which?",
        edits={"query = X[token] @ W_Q": "query = X[token] @ W_K", "X @ W_K": "X @ W_Q"},
    ),
    Variant(
        tag="example-keys-from-w-q",
        description="Makes the keys with W_Q as well (a line copied and not changed)",
        message="Your keys are made by the matrix of the query. Then what a token looks for and "
        "what it can be found by are the same. Read your three projections letter by letter.",
        edits={"X @ W_K": "X @ W_Q"},
    ),
    Variant(
        tag="example-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your `scores` are the bare dot products of the query with the keys. The table "
        "has one more thing in that row: what are they put over?",
        edits={" / np.sqrt(d_k)": ""},
    ),
    Variant(
        tag="example-root-forgotten",
        description="Divides the scores by d_k instead of its root",
        message="You divide the dot products by the whole size, where equation 1 divides by "
        "something smaller. Look closely at what stands below the line.",
        edits={"np.sqrt(d_k)": "d_k"},
    ),
    Variant(
        tag="example-scale-d-model",
        description="Takes the scale from d_model instead of d_k",
        message="Your scale comes from d_model. In the notebook's example that happens to equal "
        "d_k, but it need not. A score is a dot product of the query and a key: over how many "
        "terms does that add up?",
        edits={"d_k = W_K.shape[1]": "d_k = X.shape[1]"},
    ),
    Variant(
        tag="example-scale-number-of-tokens",
        description="Takes the scale from the number of tokens instead of d_k",
        message="Your scale depends on how many tokens there are, where it should depend on how "
        "long a key is. `len` counts rows: which entry of the shape is the length of one?",
        edits={"d_k = W_K.shape[1]": "d_k = len(X)"},
    ),
    Variant(
        tag="example-scores-kept-before-scaling",
        description="Scales for the weights, but returns the unscaled scores",
        message="Your weights come from scaled scores, but the `scores` that you return are those "
        "from before the scaling. Keep them under that name only once they are divided.",
        edits={'"scores": scores': '"scores": query @ keys.T'},
    ),
    Variant(
        tag="example-query-from-w-k",
        description="Makes the query with W_K as well (a line copied and not changed)",
        message="Your query is made by the matrix of the keys. Then what a token looks for and "
        "what it can be found by are the same. Read your three projections letter by letter.",
        source=REFERENCE.replace("X[token] @ W_Q", "X[token] @ W_K"),
    ),
    Variant(
        tag="example-keys-and-values-exchanged",
        description="Makes the keys with W_V and the values with W_K",
        message="Your keys are made by the matrix of the values, and the values by that of the "
        "keys: what a token is found by and what it hands over. Read the rows of the table once "
        "more: which matrix makes which?",
        source=REFERENCE.replace("keys = X @ W_K", "keys = X @ W_V").replace(
            "values = X @ W_V", "values = X @ W_K"
        ),
    ),
    Variant(
        tag="example-query-not-projected",
        description="Takes the token's features for the query, without W_Q",
        message="Your `query` is the token's own features, just as they are. What it looks for is "
        "made of them by a matrix: which of the arguments have you not used?",
        source=REFERENCE.replace("X[token] @ W_Q", "X[token]"),
    ),
    Variant(
        tag="example-keys-not-projected",
        description="Takes the tokens themselves for keys, without W_K",
        message="Your `keys` are the tokens' features, just as they are. What a token is found by "
        "is made of them by a matrix: which of the arguments have you not used?",
        source=REFERENCE.replace("keys = X @ W_K", "keys = X"),
    ),
    Variant(
        tag="example-query-from-the-left",
        description="Multiplies W_Q with the token from the left",
        message="You multiply W_Q with the token from the left, as books do that write a token as "
        "a column. Here a token is a row of X. On which side of it does d_model stand, and so on "
        "which side must the matrix?",
        source=REFERENCE.replace("X[token] @ W_Q", "W_Q @ X[token]"),
    ),
    Variant(
        tag="example-keys-not-turned",
        description="Multiplies query @ keys: the sizes clash",
        message="`query @ keys` sums over the wrong axis: the query has one entry for each "
        "feature, and so has each *row* of the keys. Which of the two has to come first, or to be "
        "turned, so that features meet features?",
        source=REFERENCE.replace("query @ keys.T", "query @ keys"),
    ),
    Variant(
        tag="example-keys-transposed",
        description="Returns the keys lying on their side",
        message="Your `keys` lie on their side, a token in each column. The transpose belongs to "
        "the product that makes the scores; under its own name every token has a row. Where do "
        "you turn them?",
        source=REFERENCE.replace('"keys": keys', '"keys": keys.T'),
    ),
    Variant(
        tag="example-scale-multiplied",
        description="Multiplies the scores by the root instead of dividing",
        message="You make the scores larger where equation 1 makes them smaller. Dividing by `d_k "
        "** -0.5` multiplies by the root: which of the two signs that say 'one over' is one too "
        "many?",
        source=REFERENCE.replace("/ np.sqrt(d_k)", "* np.sqrt(d_k)"),
    ),
    Variant(
        tag="example-scale-of-the-table",
        description="Divides by 2, which is √d_k in the notebook's example alone",
        message="You divide by 2. In the notebook's example that is right, for there d_k is 4; "
        "your function is given other matrices as well. Which of its arguments says what d_k is?",
        source=REFERENCE.replace("/ np.sqrt(d_k)", "/ 2"),
    ),
    Variant(
        tag="example-scores-as-a-row",
        description="Keeps the scores, and all that follows, as a matrix of one row",
        message="Your `scores`, and what comes after them, are matrices of one row. There is one "
        "query, so one score for each token: a vector. Which bracket or `reshape` gives the query "
        "another axis?",
        source=REFERENCE.replace("scores = query @ keys.T", "scores = query[None] @ keys.T"),
    ),
    Variant(
        tag="example-keys-and-values-exchanged-keys-first",
        description="Exchanges keys and values, and multiplies keys @ query",
        message="Your keys are made by the matrix of the values, and the values by that of the "
        "keys: what a token is found by and what it hands over. Read the rows of the table once "
        "more: which matrix makes which?",
        source=REFERENCE.replace("keys = X @ W_K", "keys = X @ W_V")
        .replace("values = X @ W_V", "values = X @ W_K")
        .replace("query @ keys.T", "keys @ query"),
    ),
    Variant(
        tag="example-query-not-projected-keys-first",
        description="Takes the token's features for the query, and multiplies keys @ query",
        message="Your `query` is the token's own features, just as they are. What it looks for is "
        "made of them by a matrix: which of the arguments have you not used?",
        source=REFERENCE.replace("X[token] @ W_Q", "X[token]").replace(
            "query @ keys.T", "keys @ query"
        ),
    ),
)

WRONG_WEIGHTS = (
    Variant(
        tag="example-no-softmax",
        description="Uses the scores as weights",
        message="Your `weights` are the scores once more. Weights are positive and sum to 1: "
        "which function turns any scores into proportions?",
        edits={"weights = powers / powers.sum(axis=-1, keepdims=True)": "weights = scores"},
    ),
    Variant(
        tag="example-scores-over-their-sum",
        description="Divides the scores by their sum, without exponentials",
        message="You divide the scores by their sum. That sums to 1, but a negative score gets a "
        "negative weight, and with scores like those of the table nobody stands out. Softmax does "
        "something to each score before it divides: what?",
        edits={
            "weights = powers / powers.sum(axis=-1, keepdims=True)": "weights = "
            "scores / scores.sum(axis=-1, keepdims=True)"
        },
    ),
    Variant(
        tag="example-winner-takes-all",
        description="Gives all the weight to the largest score",
        message="You give everything to the largest score. In the notebook's example it comes out "
        "so, since the scores lie a thousand apart; between scores that are closer, softmax "
        "shares. Let it decide.",
        edits={
            "weights = powers / powers.sum(axis=-1, keepdims=True)": "weights = np.where("
            "scores == scores.max(axis=-1, keepdims=True), 1.0, 0.0)"
        },
    ),
    Variant(
        tag="example-softmax-unstable",
        description="Exponentiates the scores as they are: overflows for large ones",
        message="Scores as large as those of the table overflow in np.exp and leave nan. In part 1 "
        "you found a shift that leaves softmax as it is and keeps the exponents harmless; here it "
        "is needed as well.",
        edits={"scores - scores.max(axis=-1, keepdims=True)": "scores"},
    ),
    Variant(
        tag="example-weights-from-unscaled-scores",
        description="Returns scaled scores, but takes softmax of the unscaled ones",
        message="Your `scores` are scaled, but your weights come from those before the scaling, "
        "and so are too sharp. Softmax should see what you return: which variable do you hand to "
        "it?",
        source=REFERENCE.replace(
            "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))",
            "bare = query @ keys.T\n    powers = np.exp(bare - bare.max())",
        ),
    ),
    Variant(
        tag="example-weights-scaled-once-more",
        description="Divides the scores once more before softmax",
        message="Your `scores` are right, but on their way into softmax they are divided once "
        "more, so the weights come out too even. In the table the division belongs to one row "
        "only. Which?",
        source=REFERENCE.replace(
            "powers = np.exp(scores - scores.max(axis=-1, keepdims=True))",
            "powers = np.exp((scores - scores.max()) / np.sqrt(d_k))",
        ),
    ),
    Variant(
        tag="example-weights-not-normalised",
        description="Takes the exponentials as weights without dividing by their sum",
        message="Your `weights` are exponentials that nobody divided by their sum. To be an "
        "average, the context needs proportions: which half of softmax is missing?",
        source=REFERENCE.replace("powers / powers.sum(axis=-1, keepdims=True)", "powers"),
    ),
    Variant(
        tag="example-weights-bare-exponentials",
        description="Takes np.exp of the scores as weights: overflows, and no sum",
        message="Your `weights` are the exponentials of the scores, just as they are. They don't "
        "sum to 1, and with scores like those of the table they overflow. Your softmax of part 1 "
        "does both things that are missing: which are they?",
        source=REFERENCE.replace("scores - scores.max(axis=-1, keepdims=True)", "scores").replace(
            "powers / powers.sum(axis=-1, keepdims=True)", "powers"
        ),
    ),
    Variant(
        tag="example-weights-rounded",
        description="Rounds the weights to three decimals",
        message="Your `weights` are rounded, so small ones vanish and they no longer sum to 1. In "
        "the table they look round, since the scores lie a thousand apart. Who should round, and "
        "when?",
        source=REFERENCE.replace(
            "powers / powers.sum(axis=-1, keepdims=True)",
            "(powers / powers.sum(axis=-1, keepdims=True)).round(3)",
        ),
    ),
)

WRONG_CONTEXT = (
    Variant(
        tag="example-values-not-projected",
        description="Takes the tokens themselves for values, without W_V",
        message="Your `values` are the tokens' features as they are. What a token hands over is "
        "made of its features by a matrix of its own: which of the arguments have you not used?",
        edits={"values = X @ W_V": "values = X"},
    ),
    Variant(
        tag="example-context-of-keys",
        description="Averages the keys instead of the values",
        message="Your `context` averages the keys. A key is what a token is found by, and has "
        "done its work once the weights are there. What does a token hand over when it is found?",
        edits={"weights @ values": "weights @ keys"},
    ),
    Variant(
        tag="example-context-of-scores",
        description="Multiplies the values with the scores instead of the weights",
        message="You multiply the values with the scores, so your `context` is no average: the "
        "factors don't sum to 1. Which of your steps holds proportions?",
        edits={"weights @ values": "scores @ values"},
    ),
    Variant(
        tag="example-context-holds-the-residual",
        description="Adds the token's features to the context already",
        message="Your `context` already holds the token's own features. The table keeps two steps "
        "apart: first the average of the values alone, then the sum with the features. Which "
        "name belongs to which?",
        edits={"weights @ values": "X[token] + weights @ values", "X[token] + context": "context"},
    ),
    Variant(
        tag="example-values-from-w-k",
        description="Makes the values with W_K as well (a line copied and not changed)",
        message="Your values are made by the matrix of the keys. What a token is found by and "
        "what it hands over are two things. Read your three projections letter by letter.",
        source=REFERENCE.replace("values = X @ W_V", "values = X @ W_K"),
    ),
    Variant(
        tag="example-context-of-tokens",
        description="Averages the tokens' features instead of the values",
        message="Your `context` averages the tokens' features as they are. You made values of "
        "them: what a token hands over when it is found. Where do you use those?",
        source=REFERENCE.replace("weights @ values", "weights @ X"),
    ),
    Variant(
        tag="example-context-not-summed",
        description="Weighs the values, but doesn't add them up",
        message="Your `context` is a matrix: every value times its weight, one row each. An "
        "average has one more step. Along which axis do the tokens lie?",
        source=REFERENCE.replace("weights @ values", "weights[:, None] * values").replace(
            "X[token] + context", "X[token] + context.sum(axis=0)"
        ),
    ),
    Variant(
        tag="example-context-not-summed-nor-output",
        description="Weighs the values, but never adds them up, in the output either",
        message="Your `context` and `output` are matrices: every value times its weight, one row "
        "each. An average has one more step. Along which axis do the tokens lie?",
        source=REFERENCE.replace("weights @ values", "weights[:, None] * values"),
    ),
    Variant(
        tag="example-context-plain-mean",
        description="Averages all values alike: the weights are not used",
        message="Your `context` is the plain mean of all values, so it makes no difference whom "
        "the token looks at. You have the weights ready: what should each value be multiplied by?",
        source=REFERENCE.replace("weights @ values", "values.mean(axis=0)"),
    ),
    Variant(
        tag="example-values-from-the-left",
        description="Multiplies values @ weights: features meet tokens",
        message="`values @ weights` lets the features of a value meet the weights of the tokens, "
        "and the sizes clash. One weight belongs to one row of the values: which of the two comes "
        "first?",
        source=REFERENCE.replace("weights @ values", "values @ weights"),
    ),
)

WRONG_OUTPUT = (
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
        source=REFERENCE.replace("output = X[token] +", "output = query +"),
    ),
    Variant(
        tag="example-residual-of-the-last-token",
        description="Adds the last token's features, whichever token is asked for",
        message="You add the last token's features, whichever token is asked for. Each token "
        "keeps its own features: the same row of X that the query was made of.",
        source=REFERENCE.replace("output = X[token]", "output = X[-1]"),
    ),
    Variant(
        tag="example-residual-subtracted",
        description="Subtracts the token's features instead of adding them",
        message="You subtract the token's features from the context. A residual connection keeps "
        "what was there and puts something on top. Which sign does that?",
        source=REFERENCE.replace("X[token] + context", "context - X[token]"),
    ),
    Variant(
        tag="example-residual-multiplied",
        description="Multiplies the token's features with the context",
        message="You multiply the token's features with the context, entry by entry, so a feature "
        "of 0 stays 0 whatever was found. A residual connection puts something on top of what was "
        "there. Which sign does that?",
        source=REFERENCE.replace("X[token] + context", "X[token] * context"),
    ),
    Variant(
        tag="example-residual-side-by-side",
        description="Puts features and context side by side",
        message="You put the token's features and the context side by side, so `output` is twice "
        "as long. The layer should hand on as many features as it was given. How do two vectors "
        "become one of the same length?",
        source=REFERENCE.replace("X[token] + context", "np.concatenate([X[token], context])"),
    ),
    Variant(
        tag="example-residual-averaged",
        description="Takes the mean of features and context",
        message="Your `output` is half of what it should be: you take the mean of features and "
        "context. A residual connection puts the context on top, all of it. What do you divide "
        "by?",
        source=REFERENCE.replace("X[token] + context", "(X[token] + context) / 2"),
    ),
    Variant(
        tag="example-output-without-context",
        description="Returns the token's features as the output",
        message="Your `output` is the token's features, just as they came in: nothing of what "
        "attention found is in it. What is to be put on top of them?",
        source=REFERENCE.replace("X[token] + context", "X[token]"),
    ),
    Variant(
        tag="example-output-normalised",
        description="Normalises the output (layer norm)",
        message="You normalise the `output`. A layer norm does come after the residual in a "
        "Transformer, but only in the next homework; the table ends before. Which line comes "
        "after your sum?",
        source=REFERENCE.replace(
            "X[token] + context",
            ("X[token] + context\n    output = (output - output.mean()) / output.std()"),
        ),
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
        source=REFERENCE.replace('"keys"', '"key"').replace('"values"', '"value"'),
    ),
    Variant(
        tag="example-names-as-in-the-formula",
        description="Calls the steps Q, K and V",
        message="The steps are there, but you call the first ones by the letters of the formula. "
        "A dictionary is looked up letter by letter: the names are those of the table.",
        source=REFERENCE.replace('"query"', '"Q"')
        .replace('"keys"', '"K"')
        .replace('"values"', '"V"'),
    ),
    Variant(
        tag="example-names-in-lower-case-letters",
        description="Calls the steps q, K and V",
        message="The steps are there, but you call the first ones by letters, as in the formula. "
        "A dictionary is looked up letter by letter: the names are those of the table.",
        source=REFERENCE.replace('"query"', '"q"')
        .replace('"keys"', '"K"')
        .replace('"values"', '"V"'),
    ),
    Variant(
        tag="example-weights-called-attention-weights",
        description="Calls the weights `attention_weights`",
        message="The steps are there, but one has another name than in the table: you call it "
        "`attention_weights`, as your earlier functions do. A dictionary is looked up letter by "
        "letter.",
        source=REFERENCE.replace('"weights"', '"attention_weights"'),
    ),
    Variant(
        tag="example-values-left-out",
        description="Leaves `values` out of the dictionary",
        message="Six of seven steps are there. You compute the values and use them, but they are "
        "not in the dictionary that you return. Go through the table row by row.",
        source=REFERENCE.replace(', "values": values', ""),
    ),
    Variant(
        tag="example-output-left-out",
        description="Leaves `output` out of the dictionary",
        message="Six of seven steps are there: the last one is not in the dictionary. The context "
        "is not yet what the layer hands on. Which step follows it in the table?",
        source=REFERENCE.replace(', "output": output', ""),
    ),
    Variant(
        tag="example-query-alone-kept-as-a-matrix",
        description="Keeps the query as a matrix of one row, all else as vectors",
        message="Your `query` is a matrix of one row; the steps after it are vectors, as they "
        "should be. A single query is a vector. Which bracket, slice or `reshape` gives it "
        "another axis?",
        source=REFERENCE.replace('"query": query', '"query": query[None]'),
    ),
    Variant(
        tag="example-steps-rounded",
        description="Rounds all steps to two decimals",
        message="You round the steps. In the notebook's example nothing is lost, for its numbers "
        "are nearly whole; with other ones the rest is gone. Who should round, and when?",
        source=REFERENCE.replace(
            "return steps", "return {name: step.round(2) for name, step in steps.items()}"
        ),
    ),
    Variant(
        tag="example-steps-as-lists",
        description="Returns plain lists (tolist) instead of arrays",
        message="The numbers may be right, but the steps are plain Python lists. With a list "
        "nobody can go on computing: `* 2` repeats it. Which call makes lists of your arrays?",
        source=REFERENCE.replace(
            "return steps", "return {name: step.tolist() for name, step in steps.items()}"
        ),
    ),
    Variant(
        tag="example-output-alone",
        description="Returns the output instead of the dictionary of all steps",
        message="You return the last step alone. This exercise is about the way there: all seven "
        "steps are asked for, in a dictionary with the names of the table.",
        edits={"return steps": "return output"},
    ),
    Variant(
        tag="example-nothing-returned",
        description="Computes, perhaps prints, but doesn't return",
        message="Your function comes to its end without handing anything back, so its caller gets "
        "None. Printing a dictionary shows it to you; only one statement gives it to the caller.",
        source="def worked_example(X, W_Q, W_K, W_V, token):\n    pass\n",
    ),
)

MISCONCEPTIONS = (*WRONG_TOKEN, *WRONG_SCORES, *WRONG_WEIGHTS, *WRONG_CONTEXT, *WRONG_OUTPUT)
