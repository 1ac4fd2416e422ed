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

# The guards on built-ins are not in place where variants are asked: they raise like this.
_FORBIDDEN = """\
class Forbidden(RuntimeError):
    pass


"""
_NOT_ALLOWED = 'raise Forbidden("not allowed in this exercise")'

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
    Variant(
        tag="self-attention-scaled-by-batch",
        description="Divides the scores by the root of the batch size",
        message="Your scale depends on how many sentences there are in the batch, which know "
        "nothing of each other. A score adds up products of features: which axis of Q counts "
        "those?",
        source=REFERENCE.replace("math.sqrt(self.d_k)", "math.sqrt(batch)"),
    ),
    Variant(
        tag="self-attention-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after the softmax, so a token's weights no longer sum to 1, and the "
        "scores go into it at full size. In equation 1, is the fraction inside softmax or "
        "outside?",
        source=REFERENCE.replace(" / math.sqrt(self.d_k)", "").replace(
            "torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1) / math.sqrt(self.d_k)"
        ),
    ),
    Variant(
        tag="self-attention-output-scaled",
        description="Divides the output instead of the scores",
        message="You divide the output, so the average comes out too small, and the scores go "
        "into softmax at full size. In equation 1, is the fraction inside softmax or outside?",
        source=REFERENCE.replace(" / math.sqrt(self.d_k)", "").replace(
            "weights @ V", "weights @ V / math.sqrt(self.d_k)"
        ),
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
    Variant(
        tag="self-attention-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice. The second time its scores are shares between 0 and 1, "
        "which lie close together, so the weights come out nearly even. Which of the two is one "
        "too many?",
        source=REFERENCE.replace(
            "torch.softmax(scores, dim=-1)", "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"
        ),
    ),
    Variant(
        tag="self-attention-keepdim-lost",
        description="Writes softmax by hand and loses keepdim=True",
        message="Your sum removes the axis that it runs along, and torch lines the rest up with "
        "other axes: it crashes, or rows are divided by the sums of other rows. What keeps the "
        "axis in place, with length 1?",
        source=REFERENCE.replace(
            "torch.softmax(scores, dim=-1)", "torch.exp(scores) / torch.exp(scores).sum(dim=-1)"
        ),
    ),
    Variant(
        tag="self-attention-log-softmax",
        description="Uses log_softmax",
        message="Your weights are negative: they are the *logarithms* of shares, which is what a "
        "loss function likes. An average needs the shares themselves. Which function did you "
        "call?",
        source=REFERENCE.replace(
            "torch.softmax(scores, dim=-1)", "torch.log_softmax(scores, dim=-1)"
        ),
    ),
    Variant(
        tag="self-attention-sigmoid",
        description="Applies the sigmoid to each score",
        message="You treat each score by itself, with the sigmoid, so a token's weights don't sum "
        "to 1. The keys compete for a query: which function looks at all scores of a row at once?",
        source=REFERENCE.replace("torch.softmax(scores, dim=-1)", "torch.sigmoid(scores)"),
    ),
    Variant(
        tag="self-attention-winner-takes-all",
        description="Gives all the weight to the best key",
        message="Each token gives everything to its best key. Softmax is a *soft* maximum: the "
        "others keep a part, which shrinks as they fall behind, and only so can anything be "
        "learnt. What stands where you look for the largest score?",
        source=REFERENCE.replace(
            "torch.softmax(scores, dim=-1)", "F.one_hot(scores.argmax(dim=-1), seq).float()"
        ),
    ),
    Variant(
        tag="self-attention-always-causal",
        description="Hides later tokens with a causal mask",
        message="Your tokens see only what stands before them. That is for a decoder, which must "
        "not look ahead; here every token may look at every token. Which line made that mask?",
        source=REFERENCE.replace(
            "        weights =",
            (
                "        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), "
                "-math.inf)\n"
                "        weights ="
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
            "        weights =",
            (
                "        scores = scores.masked_fill(torch.eye(seq).bool(), -math.inf)\n"
                "        weights ="
            ),
        ),
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
    Variant(
        tag="self-attention-queries-from-w-k",
        description="Makes the queries with W_K as well",
        message="Your queries and keys are the same, so A finds B exactly as fitting as B finds "
        "A. To look for something and to be found by something are two jobs, hence two layers: "
        "which of yours is never called?",
        source=REFERENCE.replace("self.W_Q(X)", "self.W_K(X)"),
    ),
    Variant(
        tag="self-attention-values-from-w-q",
        description="Averages the queries (or values that come from W_Q)",
        message="Your weights average the queries. A query is what a token asks; an answer is "
        "made of what the others have to tell, and that has a projection of its own. Which of "
        "your three layers has no part in the output?",
        source=REFERENCE.replace("self.W_V(X)", "self.W_Q(X)"),
    ),
    Variant(
        tag="self-attention-keys-and-values-exchanged",
        description="Makes keys with W_V and values with W_K",
        message="Your keys go through W_V and your values through W_K. Fresh layers are all "
        "alike, so nothing looks wrong until weights are set. Read your three projections letter "
        "by letter.",
        source=REFERENCE.replace("self.W_K(X), self.W_V(X)", "self.W_V(X), self.W_K(X)"),
    ),
    Variant(
        tag="self-attention-queries-not-projected",
        description="Takes X itself for the queries",
        message="Your queries are the rows of X, just as they came, with d_model features where "
        "the keys have d_k. Keys and values went through a layer of their own first: what about "
        "the queries?",
        source=REFERENCE.replace("self.W_Q(X)", "X"),
    ),
    Variant(
        tag="self-attention-keys-not-projected",
        description="Takes X itself for the keys",
        message="Your keys are the rows of X, just as they came, with d_model features where the "
        "queries have d_k. Queries and values went through a layer of their own first: what about "
        "the keys?",
        source=REFERENCE.replace("self.W_K(X)", "X"),
    ),
    Variant(
        tag="self-attention-scores-not-weights",
        description="Multiplies the values with the scores",
        message="You multiply the values with the scores, before the softmax, so the output is no "
        "average: the factors may be negative and don't sum to 1. Which of your tensors holds "
        "shares?",
        source=REFERENCE.replace("weights @ V", "scores @ V"),
    ),
    Variant(
        tag="self-attention-residual-added",
        description="Adds X to the output",
        message="You add X to the output. The residual is on its way, but it belongs to the "
        "encoder block; X and the output need not even have the same number of features. Where "
        "does equation 1 end?",
        source=REFERENCE.replace("weights @ V", "weights @ V + X"),
    ),
    Variant(
        tag="self-attention-residual-in-front",
        description="Adds the output to X (X + output)",
        message="You add the output to X. The residual is on its way, but it belongs to the "
        "encoder block; X and the output need not even have the same number of features. Where "
        "does equation 1 end?",
        source=REFERENCE.replace("weights @ V", "X + weights @ V"),
    ),
    Variant(
        tag="self-attention-values-added",
        description="Adds the values to the output",
        message="You add each token's own value to the output, as if it looked at itself with a "
        "weight of 1 more. The weights say already how much of itself a token takes. Where does "
        "equation 1 end?",
        source=REFERENCE.replace("weights @ V", "V + weights @ V"),
    ),
)

WRONG_SHAPE = (
    Variant(
        tag="self-attention-keys-not-transposed",
        description="Multiplies Q and K without a transpose, or V by the weights: sizes clash",
        message="Two of your tensors don't fit: rows of d_k entries meet columns with one entry a "
        "token. The scores should be (batch, seq, seq), every query with every key. Which two axes "
        "of K must change places in that product, and does V come after the weights?",
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
    Variant(
        tag="self-attention-keys-reshaped-not-transposed",
        description="Reshapes K to (batch, d_k, seq) instead of transposing it",
        message="You `view` or `reshape` K into (batch, d_k, seq). The shape is right, but the "
        "numbers read on like a book, so a column holds pieces of several keys. To make two axes "
        "change places is another operation: which?",
        source=REFERENCE.replace("K.transpose(1, 2)", "K.reshape(batch, -1, seq)"),
    ),
    Variant(
        tag="self-attention-keys-transposed-with-the-batch",
        description="Exchanges batch and tokens of K: the sizes clash",
        message="You exchange the first two axes of K, batch and tokens, and then the sizes "
        "clash. The batch should stay in front: which two of the three axes must change places?",
        source=REFERENCE.replace("K.transpose(1, 2)", "K.transpose(0, 1)"),
    ),
    Variant(
        tag="self-attention-keys-by-bmm-all-axes-transposed",
        description="Reverses all three axes of K with K.T in bmm: the sizes clash",
        message="`K.T` turns all three axes round, so the batch comes last, and `bmm` finds two "
        "different batches. In homework 1 there were only two axes to exchange. Which of the "
        "three should stay where it is?",
        source=REFERENCE.replace("Q @ K.transpose(1, 2)", "torch.bmm(Q, K.permute(2, 1, 0))"),
    ),
    Variant(
        tag="self-attention-keys-transposed-by-t",
        description="Calls K.t(), which takes matrices only",
        message="`K.t()` is for matrices, and K has a batch axis as well. Which relative of it is "
        "told the two axes that change places, and which two are they?",
        source=REFERENCE.replace("K.transpose(1, 2)", "K.t()"),
    ),
    Variant(
        tag="self-attention-values-transposed",
        description="Multiplies the weights with the transposed values: the sizes clash",
        message="You transpose the values, so a token's weights, one for each key, meet the "
        "features of a value. K had to be turned because features should meet features; here "
        "tokens should meet tokens. Which way round does V lie already?",
        source=REFERENCE.replace("weights @ V", "weights @ V.transpose(1, 2)"),
    ),
    Variant(
        tag="self-attention-weights-entry-by-entry",
        description="Multiplies weights * V entry by entry",
        message="`*` multiplies entry by entry, and (seq, seq) weights don't lie over (seq, d_k) "
        "values. An output adds up all the values, each times its weight. Which operator "
        "multiplies and adds?",
        source=REFERENCE.replace("weights @ V", "weights * V"),
    ),
    Variant(
        tag="self-attention-output-averaged",
        description="Averages the output over the tokens",
        message="You average over the tokens at the end, so one vector is left for a whole "
        "sentence. Each token has an output of its own. Which axis went missing?",
        source=REFERENCE.replace("weights @ V", "(weights @ V).mean(dim=1)"),
    ),
    Variant(
        tag="self-attention-weights-averaged",
        description="Averages the returned weights over the queries",
        message="The weights that you return are averaged over the tokens. Each token looks its "
        "own way: row i is what token i attends to. Which axis went missing?",
        source=REFERENCE.replace("return output, weights", "return output, weights.mean(dim=1)"),
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
        tag="self-attention-weights-alone",
        description="Returns the weights without the output",
        message="You return the weights alone. They say where each token looks, but not yet what "
        "it takes home: both are to be returned, the output first.",
        source=REFERENCE.replace("return output, weights", "return weights"),
    ),
    Variant(
        tag="self-attention-weights-returned-transposed",
        description="Returns the transposed weights",
        message="Your output is right, but the weights beside it lie on their side: a column of "
        "theirs belongs to the token that looks. Where do you turn them?",
        source=REFERENCE.replace(
            "return output, weights", "return output, weights.transpose(1, 2)"
        ),
    ),
    Variant(
        tag="self-attention-three-results",
        description="Returns (output, weights, scores)",
        message="You return three things, the scores among them. Two are asked for, (output, "
        "weights), as PyTorch's own attention does it. Which is one too many?",
        source=REFERENCE.replace("return output, weights", "return output, weights, scores"),
    ),
    Variant(
        tag="self-attention-weights-rounded",
        description="Rounds the weights to three decimals",
        message="You round the weights. For reading that is nice, but a token's no longer sum to "
        "1, and nothing can be learnt through a rounding. Who should round, and when?",
        source=REFERENCE.replace(
            "torch.softmax(scores, dim=-1)", "torch.softmax(scores, dim=-1).round(decimals=3)"
        ),
    ),
    Variant(
        tag="self-attention-results-rounded",
        description="Rounds what is returned to three decimals",
        message="You round what you return. For reading that is nice, but the next layer has lost "
        "the rest of the digits, and nothing can be learnt through a rounding. Who should round, "
        "and when?",
        source=REFERENCE.replace(
            "return output, weights", "return output.round(decimals=3), weights.round(decimals=3)"
        ),
    ),
    Variant(
        tag="self-attention-built-in-function",
        description="Calls F.scaled_dot_product_attention",
        message="You let PyTorch's own function attend. It is switched off here, for this part is "
        "about the wheels inside: a product, a scale, a softmax, another product. You have built "
        "all of them once, in homework 1.",
        source=_FORBIDDEN
        + REFERENCE.replace("scores = Q @", _NOT_ALLOWED + "\n        scores = Q @"),
    ),
    Variant(
        tag="self-attention-built-in-layer",
        description="Wraps nn.MultiheadAttention",
        message="You wrap PyTorch's own nn.MultiheadAttention. It is switched off here, for this "
        "part is about the wheels inside; from part 5 on you may use it. Which layers does the "
        "exercise name, and what happens between them?",
        source=_FORBIDDEN
        + REFERENCE.replace("super().__init__()", "super().__init__()\n        " + _NOT_ALLOWED),
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
    Variant(
        tag="self-attention-one-layer-under-three-names",
        description="Makes one layer and gives it three names",
        message="W_Q, W_K and W_V are one and the same layer: a second name doesn't make a second "
        "layer, and whoever sets the weights of one sets all three. How often is nn.Linear called "
        "in your `__init__`?",
        source=REFERENCE.replace(
            "self.W_K = nn.Linear(d_model, d_k)", "self.W_K = self.W_Q"
        ).replace("self.W_V = nn.Linear(d_model, d_k)", "self.W_V = self.W_Q"),
    ),
    Variant(
        tag="self-attention-sizes-exchanged",
        description="Makes layers from d_k to d_model",
        message="Your layers lead from d_k features to d_model. X comes with d_model of them. In "
        "`nn.Linear(a, b)`, which of the two goes in?",
        source=REFERENCE.replace("nn.Linear(d_model, d_k)", "nn.Linear(d_k, d_model)"),
    ),
    Variant(
        tag="self-attention-layers-as-wide-as-x",
        description="Makes layers from d_model to d_model",
        message="Your layers lead from d_model to d_model features, so the head is as wide as X. "
        "Which argument says how wide it should be, and where have you used it?",
        source=REFERENCE.replace("nn.Linear(d_model, d_k)", "nn.Linear(d_model, d_model)"),
    ),
    Variant(
        tag="self-attention-value-layer-as-wide-as-x",
        description="Makes W_V from d_model to d_model",
        message="Your W_V leads from d_model to d_model features. In homework 1 values had a size "
        "of their own; here all three layers lead to d_k. What should come out of this one?",
        source=REFERENCE.replace(
            "self.W_V = nn.Linear(d_model, d_k)", "self.W_V = nn.Linear(d_model, d_model)"
        ),
    ),
    Variant(
        tag="self-attention-matrices-instead-of-layers",
        description="Makes bare matrices (nn.Parameter) instead of nn.Linear",
        message="Your W_Q is a bare matrix, as in homework 1. Here it should be a layer, which "
        "holds a matrix and a bias: as it is, its weights can't be set, and nothing else could be "
        "tested. Which class does the exercise name?",
        source=REFERENCE.replace(
            "nn.Linear(d_model, d_k)", "nn.Parameter(torch.randn(d_model, d_k))"
        ),
    ),
    Variant(
        tag="self-attention-value-layer-never-made",
        description="Never makes W_V",
        message="Your module has no attribute `W_V`, so its weights can't be set, and nothing "
        "else could be tested. What a token can be found by and what it has to tell are two "
        "things. Which three layers does the exercise name?",
        source=REFERENCE.replace("        self.W_V = nn.Linear(d_model, d_k)\n", "").replace(
            "self.W_V(X)", "X"
        ),
    ),
    Variant(
        tag="self-attention-value-layer-without-bias",
        description="Makes W_V without bias",
        message="Your W_V has no bias, while the exercise asks for `nn.Linear` as it comes, and "
        "so nothing else could be tested. Which of its arguments do you set?",
        source=REFERENCE.replace(
            "self.W_V = nn.Linear(d_model, d_k)", "self.W_V = nn.Linear(d_model, d_k, bias=False)"
        ),
    ),
    Variant(
        tag="self-attention-self-missing",
        description="Calls W_Q without self",
        message="Inside a method, `W_Q` alone is looked for among the variables of the notebook. "
        "What `__init__` has made hangs on the object itself. What must stand in front of the "
        "name?",
        source=REFERENCE.replace("self.W_Q(X)", "W_Q(X)"),
    ),
    Variant(
        tag="self-attention-self-missing-in-forward",
        description="Defines forward(X) without self",
        message="Your `forward` takes X alone, but a method is handed the object itself first, "
        "and so it gets one argument too many. What is the first one called, by custom?",
        source=REFERENCE.replace("forward(self, X)", "forward(X)"),
    ),
    Variant(
        tag="self-attention-d-k-not-kept",
        description="Reads self.d_k, which was never set",
        message="`forward` reads `self.d_k`, but nobody has put it there: the arguments of "
        "`__init__` are gone when it ends. How do you keep one for later, or which tensor has the "
        "number among its sizes?",
        source=REFERENCE.replace("        self.d_k = d_k\n", ""),
    ),
    Variant(
        tag="self-attention-d-k-out-of-reach",
        description="Reads d_k in forward, where it is not known",
        message="`forward` reads `d_k`, which is an argument of `__init__` and gone when that "
        "ends. How do you keep it for later, or which tensor has the number among its sizes?",
        source=REFERENCE.replace("math.sqrt(self.d_k)", "math.sqrt(d_k)"),
    ),
    Variant(
        tag="self-attention-super-missing",
        description="Doesn't call super().__init__()",
        message="Your `__init__` doesn't call the one of nn.Module, which prepares the place "
        "where layers are kept, so the first layer finds none. Which line of the given stub has "
        "gone?",
        source=REFERENCE.replace("        super().__init__()\n", ""),
    ),
)

MISCONCEPTIONS = (*WRONG_SCALE, *WRONG_SOFTMAX, *WRONG_TENSOR, *WRONG_SHAPE, *WRONG_RESULT)
