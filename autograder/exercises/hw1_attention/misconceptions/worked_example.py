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
