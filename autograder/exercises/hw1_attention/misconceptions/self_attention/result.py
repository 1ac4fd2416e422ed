"""What learners get wrong in self_attention: result."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-weights-transposed",
        description="Multiplies the values with the transposed weights",
        message="You turn the weights around before you multiply them with the values, so each "
        "token collects by how much it is looked at. A token's weights are one row and should meet "
        "the rows of V.",
        edits={"weights @ V": "weights.T @ V"},
    ),
    Variant(
        tag="self-attention-values-added",
        description="Adds the values to the context",
        message="You add the tokens' own values to the context, as if each looked at itself with a "
        "weight of 1 more. The weights say already how much of itself a token takes. Equation 1 "
        "ends before it.",
        edits={"weights @ V": "V + weights @ V"},
    ),
    Variant(
        tag="self-attention-context-of-scores",
        description="Multiplies the values with the scores instead of the weights",
        message="You multiply the values with the scores, before softmax, so the context is no "
        "average: the factors may be negative and don't sum to 1. Which of your arrays holds "
        "proportions?",
        edits={"weights @ V": "scores @ V"},
    ),
    Variant(
        tag="self-attention-weights-applied-twice",
        description="Multiplies the context with the weights once more",
        message="Your context has been averaged twice: the earlier function returns it ready, and "
        "you multiply it with the weights once more. In which of the two results are the values "
        "in already?",
        edits={"weights @ V": "weights @ (weights @ V)"},
    ),
    Variant(
        tag="self-attention-scores-returned",
        description="Returns the scores in place of the attention weights",
        message="The array that you return first holds the scores, where the attention weights "
        "should be. A token's weights are positive and sum to 1: at which line do your numbers "
        "become so, and which name do they have from there on?",
        edits={"return weights, context": "return scores, context"},
    ),
    Variant(
        tag="self-attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="The weights that you return first lie on their side: a column of theirs belongs "
        "to the token that looks, where it should be a row. Those that made your context "
        "stand upright, so you had them that way once. Where do you turn them?",
        edits={"return weights, context": "return weights.T, context"},
    ),
    Variant(
        tag="self-attention-order-swapped",
        description="Returns (context, attention_weights)",
        message="You return the context first, as PyTorch does. In this assignment it is the "
        "other way round: see what the exercise says of `return`.",
        edits={"return weights, context": "return context, weights"},
    ),
    Variant(
        tag="self-attention-input-changed",
        description="Writes into X or one of the matrices",
        message="One of the arrays that your function is given has changed when it returns, and "
        "the next call starts from other numbers. A quotient or a sum makes a new array; an "
        "assignment to a part of an array, or one that computes and assigns at once, writes into "
        "the old one. Which line of yours does?",
        edits={
            "    Q = X @ W_Q": "    W_Q /= np.sqrt(W_Q.shape[1])\n    Q = X @ W_Q",
            "/ np.sqrt(d_k)": "",
        },
    ),
    Variant(
        tag="self-attention-squeezed",
        description="Squeezes what is returned: axes of length 1 are lost",
        message="Where a size is 1, what you return is one axis short: a single token should still "
        "give a matrix of one row. Which step of yours drops axes of length 1, and what was it "
        "meant for?",
        edits={"return weights, context": "return np.squeeze(weights), np.squeeze(context)"},
    ),
    Variant(
        tag="self-attention-residual-where-it-fits",
        description="Adds X to the context where the two have the same shape",
        message="Where X and the context have the same shape, you add the one to the other. That "
        "is the residual connection, which comes one part later, around this function.",
        edits={"weights @ V": "weights @ V + (X if X.shape == V.shape else 0)"},
    ),
    Variant(
        tag="self-attention-context-of-exponentials",
        description="Multiplies the values with the exponentials, before they are divided",
        message="Your context adds up the values times exponentials that nobody has divided by "
        "their sum yet, so it is no average. What should the values meet, the exponentials or what "
        "becomes of them?",
        edits={"weights @ V": "powers @ V"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens with the values 4 and 12. The first token's weights are 0.25 and 0.75, and the second's
are 0.5 and 0.5. The context of a token is the average of all values by its own weights.

The first token: 0.25 · 4 + 0.75 · 12 = 10. It looks mostly at the second token, so its context
lies near 12.

The second token: 0.5 · 4 + 0.5 · 12 = 8, which is halfway.

Nothing else is added, and nothing is averaged twice: weights meet values once. A context always
lies between the smallest and the largest value.

The call asks for what is returned second. Is that the context in yours? If it is, whose weights
have you used for the first token: those of a row, or those of a column?""",
        """\
X, W_Q = np.array([[1.0, 0.0], [1.0, 1.0]]), np.array([[1.0], [-1.0]])
W_K, W_V = np.log([[1.0], [3.0]]), np.array([[4.0], [8.0]])
self_attention(X, W_Q, W_K, W_V)[1]""",
        [[10.0], [8.0]],
    ),
)
