"""What learners get wrong in MultiHeadAttention: what is made of the projections."""

from __future__ import annotations

from autograder.testing import Variant

from ... import recurring

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-keys-averaged",
        description="Averages the keys instead of the values",
        message="Your weights average the keys. A key says what a token can be found by, a value "
        "what it has to tell once it is found. Which of your three projections has no part in the "
        "result?",
        edits={"weights @ V": "weights @ K"},
    ),
    Variant(
        tag="multi-head-keys-of-all-sentences-added",
        description="Compares each query with the sum of the keys of all sentences",
        message="Each of your queries meets the keys of *all* sentences, added up place by place. "
        "A sentence should get the same whatever stands beside it in the batch. In an einsum, an "
        "axis of the batch has one letter in everything that belongs together. What happens to a "
        "letter that the result doesn't have?",
        edits={"Q @ K.transpose(-2, -1)": 'torch.einsum("bhid,chjd->bhij", Q, K)'},
    ),
    Variant(
        tag="multi-head-weights-transposed",
        description="Averages with the transposed weights",
        message="You turn the weights round before they meet the values. A query's weights are a "
        "row, with one entry a key, and should meet the rows of V. Why is there a transpose?",
        edits={"weights @ V": "weights.transpose(-2, -1) @ V"},
    ),
    Variant(
        tag="multi-head-keys-not-transposed",
        description="Multiplies Q and K without a transpose: the sizes clash",
        message="Queries and keys can't be multiplied as they lie: a row of the queries has "
        "d_head entries, and so should each column of what it meets. Which two of the "
        "keys' four axes must change places?",
        edits={"K.transpose(-2, -1)": "K"},
    ),
    Variant(
        tag="multi-head-keys-transposed-where-needed",
        description="Transposes the keys only where the sizes demand it",
        message=recurring.TRANSPOSED_WHERE_NEEDED,
        edits={"K.transpose(-2, -1)": "(K if K.shape[-1] == K.shape[-2] else K.transpose(-2, -1))"},
    ),
    Variant(
        tag="multi-head-keys-reshaped-not-transposed",
        description="Reshapes each head's keys to (d_head, n_k) instead of transposing them",
        message="Each head's keys come to the product in the right shape, (d_head, n_k), but cut "
        "up, as a `reshape` or `view` does it: it reads the numbers on like a text, so a column "
        "holds pieces of several keys. To make two axes change places is another operation.",
        edits={"K.transpose(-2, -1)": "K.reshape(*K.shape[:2], self.d_head, -1)"},
    ),
    Variant(
        tag="multi-head-keys-transposed-in-the-middle",
        description="Exchanges heads and tokens of K instead of tokens and columns",
        message="You let heads and tokens of the keys change places. By the time of the product "
        "the heads stand second, and what has to change places comes after them. Count from the "
        "last axis.",
        edits={"K.transpose(-2, -1)": "K.transpose(1, 2)"},
    ),
    Variant(
        tag="multi-head-all-axes-transposed",
        description="Reverses all four axes of K, as K.T does",
        message="You turn all four axes of the keys round, as `.T` does, so the batch comes last "
        "and the sizes clash. In homework 1 there were only two axes to exchange. Two of the four "
        "should stay where they are.",
        edits={"K.transpose(-2, -1)": "K.permute(3, 2, 1, 0)"},
    ),
    Variant(
        tag="multi-head-residual-added",
        description="Adds the query to the result",
        message="You add the query to the result. The residual is on its way, but it belongs to "
        "the encoder block, which wraps this module; with both, it would count twice. The formula "
        "ends before it.",
        edits={"self.W_O(context)": "query + self.W_O(context)"},
    ),
    Variant(
        tag="multi-head-normalised-by-a-layer",
        description="Adds the query and ends with a layer norm of its own",
        message="You add the query and normalise. Both are on their way, but they belong to the "
        "encoder block, which wraps this module. The formula ends before them.",
        edits={
            "        self.W_O = nn.Linear(d_model, d_model)\n": (
                "        self.W_O = nn.Linear(d_model, d_model)\n"
                "        self.norm = nn.LayerNorm(d_model)\n"
            ),
            "output = self.W_O(context)": "output = self.norm(query + self.W_O(context))",
        },
    ),
    Variant(
        tag="multi-head-normalised",
        description="Adds the query and ends with a layer norm",
        message="You add the query and normalise. Both are on their way, but they belong to the "
        "encoder block, which wraps this module. The formula ends before them.",
        edits={"self.W_O(context)": "F.layer_norm(query + self.W_O(context), query.shape[-1:])"},
    ),
    *(
        Variant(
            tag=f"multi-head-{tag}",
            description=f"Hides as padding each token {description}",
            message=recurring.ZEROS_HIDDEN.format(description),
            edits={
                "        if mask is not None:": (
                    f"        padding = {asked.format('key')}\n"
                    "        scores = scores.masked_fill(padding[:, None, None], -1e9)\n"
                    "        if mask is not None:"
                )
            },
        )
        for tag, (description, asked) in recurring.ZEROS.items()
    ),
    Variant(
        tag="multi-head-cosine",
        description="Brings queries and keys to length 1 before they meet",
        message=recurring.COSINE,
        edits={
            "Q @ K.transpose(-2, -1)": (
                "F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).transpose(-2, -1)"
            )
        },
    ),
    Variant(
        tag="multi-head-cosine-alone",
        description="Brings queries and keys to length 1 instead of dividing by the root",
        message=recurring.COSINE_ALONE,
        edits={
            "Q @ K.transpose(-2, -1) / math.sqrt(self.d_head)": (
                "F.normalize(Q, dim=-1) @ F.normalize(K, dim=-1).transpose(-2, -1)"
            )
        },
    ),
    Variant(
        tag="multi-head-masks-in-another-order",
        description="Folds heads into the batch, and repeats the mask in another order",
        message="Masks get to sentences and heads that they don't belong to: where yours are laid "
        "out one after the other, the order isn't that of your scores. Of sentence and head, one "
        "changes at every step and the other more seldom. Which is it in the scores, and which in "
        "the mask?",
        edits={
            "~mask": "~mask.expand(scores.shape).transpose(0, 1).reshape(scores.shape)",
        },
    ),
    Variant(
        tag="multi-head-scores-without-sign",
        description="Takes the absolute values of the scores",
        message=recurring.SIGN_LOST,
        edits={"Q @ K.transpose(-2, -1)": "(Q @ K.transpose(-2, -1)).abs()"},
    ),
    Variant(
        tag="multi-head-negative-scores-cut",
        description="Cuts negative scores off at 0, as a ReLU does, before the softmax",
        message=recurring.NEGATIVE_SCORES_CUT,
        edits={"Q @ K.transpose(-2, -1)": "(Q @ K.transpose(-2, -1)).relu()"},
    ),
    Variant(
        tag="multi-head-distance",
        description="Scores by the negative distance of query and key",
        message=recurring.DISTANCE,
        edits={"Q @ K.transpose(-2, -1)": "-torch.cdist(Q, K)"},
    ),
)
