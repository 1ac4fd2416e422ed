"""What learners get wrong in SelfAttention."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import (
    drawn_anew,
    no_bias,
    nothing_returned,
    other_names,
)
from autograder.misconceptions import Variant

REFERENCE = """\
class SelfAttention(nn.Module):
    def __init__(self, d_model, d_k):
        super().__init__()
        self.d_k = d_k
        self.W_Q = nn.Linear(d_model, d_k)
        self.W_K = nn.Linear(d_model, d_k)
        self.W_V = nn.Linear(d_model, d_k)

    def forward(self, X):
        batch, seq, d_model = X.shape
        Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)
        scores = Q @ K.transpose(1, 2)
        scores = scores / math.sqrt(self.d_k)
        weights = torch.softmax(scores, dim=-1)
        output = weights @ V
        return output, weights
"""

WRONG_SCALE = (
    Variant(
        tag="self-attention-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your scores go into softmax just as the products come out. The more features a "
        "query has, the larger they grow, until softmax gives one key nearly everything. One step "
        "of equation 1 stands between product and softmax: which?",
        edits={" / math.sqrt(self.d_k)": ""},
    ),
    Variant(
        tag="self-attention-scaled-by-d-k",
        description="Divides the scores by d_k instead of its root (or by the root twice)",
        message="Your weights are too even: the scores are divided by d_k as it is, or twice over. "
        "Equation 1 divides by something smaller. Compare what stands under its fraction line "
        "with yours, sign by sign.",
        edits={"math.sqrt(self.d_k)": "self.d_k"},
    ),
    Variant(
        tag="self-attention-scaled-by-d-model",
        description="Divides the scores by the root of d_model",
        message="Your scale comes from the width of X. But by the time a query meets a key, both "
        "have been projected to another width: over how many features does their product add up?",
        edits={"math.sqrt(self.d_k)": "math.sqrt(d_model)"},
    ),
    Variant(
        tag="self-attention-scale-multiplied",
        description="Multiplies the scores by the root (or divides by 1/root)",
        message="You make the scores larger where equation 1 makes them smaller, so softmax picks "
        "one key and forgets the rest. Dividing by `d_k ** -0.5` does that as well: which of the "
        "two signs that say 'one over' is one too many?",
        edits={"scores / math": "scores * math"},
    ),
    Variant(
        tag="self-attention-scaled-by-length",
        description="Divides the scores by the root of the sequence's length",
        message="Your scale depends on how many tokens the sentence has, so the same two tokens "
        "would fit each other better in a short sentence than in a long one. A score adds up "
        "products of features: which axis of K counts those?",
        source=REFERENCE.replace("math.sqrt(self.d_k)", "math.sqrt(seq)"),
    ),
)

WRONG_SOFTMAX = (
    Variant(
        tag="self-attention-softmax-over-queries",
        description="Softmax along the queries' axis instead of the keys'",
        message="Your columns sum to 1 where your rows should: the queries compete for each key. "
        "It is each query that shares out its attention among the keys. In scores of shape "
        "(batch, queries, keys), along which axis does one query's attention lie?",
        edits={"dim=-1": "dim=1"},
    ),
    Variant(
        tag="self-attention-softmax-over-batch",
        description="Softmax along the batch (also F.softmax and nn.Softmax without a dim)",
        message="Your softmax runs across the batch, so what a token attends to depends on the "
        "other sentences. Sentences must not know of each other. If you named no `dim`, torch "
        "chose the first axis for you: where do the keys lie?",
        edits={"dim=-1": "dim=0"},
    ),
    Variant(
        tag="self-attention-no-softmax",
        description="Uses the scores as weights",
        message="You use the scores themselves as weights. They may be negative, and a token's "
        "don't sum to 1, so the output is no average. Which function turns any scores into shares?",
        edits={"torch.softmax(scores, dim=-1)": "scores"},
    ),
    Variant(
        tag="self-attention-softmax-over-everything",
        description="One softmax over the whole matrix of a sentence",
        message="One softmax runs over all scores of a sentence, so all its tokens share a single "
        "attention. Each token has a whole one to give away: which of the scores belong to one "
        "query?",
        source=REFERENCE.replace("scores, dim=-1)", "scores.flatten(1), dim=-1).view_as(scores)"),
    ),
)

WRONG_TENSOR = (
    Variant(
        tag="self-attention-values-are-keys",
        description="Averages the keys (or values that come from W_K)",
        message="Your weights average the keys. A key says what a token can be found by, a value "
        "what it has to tell once it is found, and each has a projection of its own. Which of your "
        "three layers has no part in the output?",
        edits={"weights @ V": "weights @ K"},
    ),
    Variant(
        tag="self-attention-weights-not-used",
        description="Returns the values as they are, the weights unused",
        message="Your output is the values just as they were projected: the weights are there, but "
        "nothing is averaged with them, so no token learns of another. What does equation 1 do "
        "with softmax(…) and V?",
        edits={"weights @ V": "V"},
    ),
    Variant(
        tag="self-attention-weights-transposed",
        description="Averages with the transposed weights",
        message="You average the values with the weights turned round: output i uses column i, "
        "which says how much the *others* attend to token i. Its own attention stands elsewhere, "
        "and only that sums to 1. Why is there a transpose?",
        edits={"weights @ V": "weights.transpose(1, 2) @ V"},
    ),
    Variant(
        tag="self-attention-queries-and-keys-exchanged",
        description="Multiplies K Qᵀ instead of Q Kᵀ",
        message="Row i of your scores compares the *key* of token i with all queries. The row is "
        "what softmax shares out, so it should belong to a query. Transposing a product exchanges "
        "its factors: which of them comes first in equation 1?",
        edits={"Q @ K.transpose(1, 2)": "K @ Q.transpose(1, 2)"},
    ),
    Variant(
        tag="self-attention-keys-from-w-q",
        description="Makes the keys with W_Q as well",
        message="Your queries and keys are the same, so A finds B exactly as fitting as B finds A. "
        "To look for something and to be found by something are two jobs, hence two layers: which "
        "of yours is never called?",
        edits={"self.W_K(X)": "self.W_Q(X)"},
    ),
    Variant(
        tag="self-attention-values-not-projected",
        description="Averages X itself: W_V is never applied",
        message="Your weights average the rows of X, so the output has d_model features where d_k "
        "were asked for. Queries and keys went through a layer of their own first: what about the "
        "values?",
        source=REFERENCE.replace("self.W_V(X)", "X"),
    ),
    Variant(
        tag="self-attention-projections-unused",
        description="Uses X for queries, keys and values: no projection is applied",
        message="Your layers are made but never called: X is compared with itself and averaged as "
        "it is. Then there is nothing to learn, and the output keeps d_model features. What turns "
        "X into Q, K and V?",
        source=REFERENCE.replace("self.W_Q(X), self.W_K(X), self.W_V(X)", "X, X, X"),
    ),
    drawn_anew(
        "self-attention",
        REFERENCE.replace(
            "self.W_Q(X), self.W_K(X), self.W_V(X)",
            "(nn.Linear(d_model, self.d_k)(X) for _ in range(3))",
        ),
    ),
)

WRONG_SHAPE = (
    Variant(
        tag="self-attention-keys-not-transposed",
        description="Multiplies Q and K without a transpose: the sizes clash",
        message="`Q @ K` can't be multiplied: each row of Q has d_k entries, and so should each "
        "column of what it meets, but the columns of K have one entry a token. Which two of K's "
        "three axes must change places?",
        source=REFERENCE.replace("K.transpose(1, 2)", "K"),
    ),
    Variant(
        tag="self-attention-all-axes-transposed",
        description="Reverses all three axes of K with K.T: the sizes clash",
        message="`K.T` turns all three axes round, so the batch comes last and the sizes clash. "
        "In homework 1 there were only two axes to exchange. Which of the three should stay where "
        "it is?",
        source=REFERENCE.replace("K.transpose(1, 2)", "K.permute(2, 1, 0)"),
    ),
)

WRONG_RESULT = (
    Variant(
        tag="self-attention-weights-first",
        description="Returns (weights, output) instead of (output, weights)",
        message="You return the weights first and the output second, as in homework 1. Here it is "
        "the other way round, as PyTorch's own attention does it. Nothing but the order of your "
        "`return` is at fault.",
        edits={"return output, weights": "return weights, output"},
    ),
    Variant(
        tag="self-attention-output-alone",
        description="Returns the output without the weights",
        message="You return one tensor where two are asked for. The output is there; what is "
        "missing is what tells a reader who looked at whom.",
        source=REFERENCE.replace("return output, weights", "return output"),
    ),
    Variant(
        tag="self-attention-scores-returned",
        description="Returns the scores beside the output instead of the weights",
        message="Your output is right, but what you return beside it are the scores before the "
        "softmax: its rows don't sum to 1. With which of your tensors did you average the values?",
        source=REFERENCE.replace("return output, weights", "return output, scores"),
    ),
    nothing_returned(
        "self-attention", REFERENCE.replace("return output, weights", "output, weights")
    ),
    other_names("self-attention", "W_Q", REFERENCE.replace("self.W_", "self.w_")),
    no_bias(
        "self-attention",
        "W_Q",
        REFERENCE.replace("Linear(d_model, d_k)", "Linear(d_model, d_k, bias=False)"),
    ),
)

MISCONCEPTIONS = (*WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_TENSOR, *WRONG_SHAPE, *WRONG_RESULT)
