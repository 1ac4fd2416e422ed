"""What learners get wrong in SelfAttention: tensor."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ... import recurring

MISCONCEPTIONS = (
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
        "nothing is averaged with them, so no token learns of another. Equation 1 multiplies "
        "softmax(…) with V.",
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
        "its factors.",
        edits={"Q @ K.transpose(1, 2)": "K @ Q.transpose(1, 2)"},
    ),
    Variant(
        tag="self-attention-projections-cut-as-they-lie",
        description="Joins the three projections, and cuts by reshape(3, …) what lies side by side",
        message="You lay queries, keys and values side by side and cut the whole into three, but "
        "`view` and `reshape` read on like a book: each third holds some of all three. Along which "
        "axis do the three lie, and which call cuts there?",
        edits={
            "Q, K, V = self.W_Q(X), self.W_K(X), self.W_V(X)": (
                "together = torch.cat([self.W_Q(X), self.W_K(X), self.W_V(X)], dim=-1)\n"
                "        Q, K, V = together.reshape(3, batch, seq, self.d_k)"
            )
        },
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
        "were asked for. Queries and keys went through a layer of their own first, and so should "
        "the values.",
        edits={"self.W_V(X)": "X"},
    ),
    Variant(
        tag="self-attention-projections-unused",
        description="Uses X for queries, keys and values: no projection is applied",
        message="Your layers are made but never called: X is compared with itself and averaged as "
        "it is. Then there is nothing to learn, and the output keeps d_model features. Those "
        "layers turn X into Q, K and V.",
        edits={"self.W_Q(X), self.W_K(X), self.W_V(X)": "X, X, X"},
    ),
    Variant(
        tag="self-attention-queries-from-w-k",
        description="Makes the queries with W_K as well",
        message="Your queries and keys are the same, so A finds B exactly as fitting as B finds "
        "A. To look for something and to be found by something are two jobs, hence two layers: "
        "which of yours is never called?",
        edits={"self.W_Q(X)": "self.W_K(X)"},
    ),
    Variant(
        tag="self-attention-values-from-w-q",
        description="Averages the queries (or values that come from W_Q)",
        message="Your weights average the queries. A query is what a token asks; an answer is "
        "made of what the others have to tell, and that has a projection of its own. Which of "
        "your three layers has no part in the output?",
        edits={"self.W_V(X)": "self.W_Q(X)"},
    ),
    Variant(
        tag="self-attention-keys-and-values-exchanged",
        description="Makes keys with W_V and values with W_K",
        message="Your keys go through W_V and your values through W_K. Fresh layers are all "
        "alike, so nothing looks wrong until weights are set. Read your three projections letter "
        "by letter.",
        edits={"self.W_K(X), self.W_V(X)": "self.W_V(X), self.W_K(X)"},
    ),
    Variant(
        tag="self-attention-queries-not-projected",
        description="Takes X itself for the queries",
        message="Your queries are the rows of X, just as they came, with d_model features where "
        "the keys have d_k. Keys and values went through a layer of their own first, and so should "
        "the queries.",
        edits={"self.W_Q(X)": "X"},
    ),
    Variant(
        tag="self-attention-keys-not-projected",
        description="Takes X itself for the keys",
        message="Your keys are the rows of X, just as they came, with d_model features where the "
        "queries have d_k. Queries and values went through a layer of their own first, and so "
        "should the keys.",
        edits={"self.W_K(X)": "X"},
    ),
    Variant(
        tag="self-attention-scores-not-weights",
        description="Multiplies the values with the scores",
        message="You multiply the values with the scores, before the softmax, so the output is no "
        "average: the factors may be negative and don't sum to 1. Which of your tensors holds "
        "shares?",
        edits={"weights @ V": "scores @ V"},
    ),
    Variant(
        tag="self-attention-residual-added",
        description="Adds X to the output",
        message="You add X to the output. The residual is on its way, but it belongs to the "
        "encoder block; X and the output need not even have the same number of features. Equation "
        "1 ends before it.",
        edits={"weights @ V": "weights @ V + X"},
    ),
    Variant(
        tag="self-attention-residual-in-front",
        description="Adds the output to X (X + output)",
        message="You add the output to X. The residual is on its way, but it belongs to the "
        "encoder block; X and the output need not even have the same number of features. Equation "
        "1 ends before it.",
        edits={"weights @ V": "X + weights @ V"},
    ),
    Variant(
        tag="self-attention-values-added",
        description="Adds the values to the output",
        message="You add each token's own value to the output, as if it looked at itself with a "
        "weight of 1 more. The weights say already how much of itself a token takes. Equation 1 "
        "ends before it.",
        edits={"weights @ V": "V + weights @ V"},
    ),
    *(
        Variant(
            tag=f"self-attention-{tag}",
            description=f"Hides as padding each token {description}",
            message=recurring.ZEROS_HIDDEN.format(description),
            edits={
                "        weights = torch": (
                    f"        padding = {asked.format('X')}\n"
                    "        scores = scores.masked_fill(padding[:, None], -1e9)\n"
                    "        weights = torch"
                )
            },
        )
        for tag, (description, asked) in recurring.ZEROS.items()
    ),
    Variant(
        tag="self-attention-cosine",
        description="Brings queries and keys to length 1 before they meet",
        message=recurring.COSINE,
        edits={
            "Q @ K.transpose(1, 2)": (
                "F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).transpose(1, 2)"
            )
        },
    ),
    Variant(
        tag="self-attention-cosine-alone",
        description="Brings queries and keys to length 1 instead of dividing by the root",
        message=recurring.COSINE_ALONE,
        edits={
            "Q @ K.transpose(1, 2)": (
                "F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).transpose(1, 2)"
            ),
            "        scores = scores / math.sqrt(self.d_k)\n": "",
        },
    ),
    Variant(
        tag="self-attention-relu-behind-the-projections",
        description="Queries, keys and values go through a ReLU",
        message="Your queries, keys and values go through a ReLU, so whatever is negative in them "
        "is lost before they meet. The formula takes what the three layers make as it is. Which "
        "part of the encoder has a ReLU between its layers?",
        edits={
            "self.W_Q(X), self.W_K(X), self.W_V(X)": (
                "self.W_Q(X).relu(), self.W_K(X).relu(), self.W_V(X).relu()"
            )
        },
    ),
    Variant(
        tag="self-attention-scores-without-sign",
        description="Takes the absolute values of the scores",
        message=recurring.SIGN_LOST,
        edits={"Q @ K.transpose(1, 2)": "(Q @ K.transpose(1, 2)).abs()"},
    ),
    Variant(
        tag="self-attention-negative-scores-cut",
        description="Cuts negative scores off at 0, as a ReLU does, before the softmax",
        message=recurring.NEGATIVE_SCORES_CUT,
        edits={"Q @ K.transpose(1, 2)": "(Q @ K.transpose(1, 2)).relu()"},
    ),
    Variant(
        tag="self-attention-distance",
        description="Scores by the negative distance of query and key",
        message=recurring.DISTANCE,
        edits={"Q @ K.transpose(1, 2)": "-torch.cdist(Q, K)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens, (1, 0) and (1, 1), and keys of one entry, so nothing has to be scaled. Each token goes
through three layers without a bias.

W_Q holds (1, −1), so the queries are 1 and 1 − 1 = 0. W_K holds (0, 1.1), where e^1.1 = 3, so the
keys are 0 and 1.1. W_V holds (4, 8), so the values are 4 and 4 + 8 = 12.

The first token's query meets both keys: 1 · 0 = 0 and 1 · 1.1 = 1.1. Its weights are 1/4 = 0.25 and
3/4 = 0.75, and its output is 0.25 · 4 + 0.75 · 12 = 10.

The second token's query is 0. It takes 0.5 · 4 + 0.5 · 12 = 8.

Compute your own queries, keys and values by hand. Does one of the three differ? If none does, how
do they meet, and what happens to the values afterwards?""",
        """\
attention, rows = SelfAttention(2, 1), ([1.0, -1.0], [0.0, 1.0986], [4.0, 8.0])
for layer, row in zip((attention.W_Q, attention.W_K, attention.W_V), rows):
    layer.weight.data, layer.bias.data = torch.tensor([row]), torch.zeros(1)
attention(torch.tensor([[[1.0, 0.0], [1.0, 1.0]]]))[0]""",
        [[[10.0], [8.0]]],
    ),
)
