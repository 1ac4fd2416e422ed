"""What learners get wrong in SelfAttention: shape."""

from __future__ import annotations

from autograder.testing import Variant

from ... import recurring

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-keys-not-transposed",
        description="Multiplies Q and K without a transpose, or V by the weights: sizes clash",
        message="Two of your tensors don't fit: rows of d_k entries meet columns with one entry a "
        "token. The scores should be (batch, seq, seq), every query with every key. Which two axes "
        "of K must change places in that product, and does V come after the weights?",
        edits={"K.transpose(1, 2)": "K"},
    ),
    Variant(
        tag="self-attention-keys-transposed-where-needed",
        description="Transposes the keys only where the sizes demand it",
        message=recurring.TRANSPOSED_WHERE_NEEDED,
        edits={"K.transpose(1, 2)": "(K if K.shape[1] == K.shape[2] else K.transpose(1, 2))"},
    ),
    Variant(
        tag="self-attention-batch-second",
        description="Takes the first axis for the tokens: attends over the batch",
        message="Your weights are (seq, batch, batch): each token attends to the tokens in the "
        "same place of *other* sentences. Some libraries have the tokens on the first axis; here "
        "the batch comes first. Which two axes change places in your code?",
        edits={
            "        batch, seq, d_model = X.shape\n": (
                "        X = X.transpose(0, 1)\n        batch, seq, d_model = X.shape\n"
            ),
            "return output, weights": "return output.transpose(0, 1), weights",
        },
    ),
    Variant(
        tag="self-attention-all-axes-transposed",
        description="Reverses all three axes of K with K.T: the sizes clash",
        message="You turn all three axes of the keys round, as `.T` does, so the batch comes last "
        "and the sizes clash. In homework 1 there were only two axes to exchange. One of the three "
        "should stay where it is.",
        edits={"K.transpose(1, 2)": "K.permute(2, 1, 0)"},
    ),
    Variant(
        tag="self-attention-keys-reshaped-not-transposed",
        description="Reshapes K to (batch, d_k, seq) instead of transposing it",
        message="You `view` or `reshape` K into (batch, d_k, seq). The shape is right, but the "
        "numbers read on like a book, so a column holds pieces of several keys. To make two axes "
        "change places is another operation.",
        edits={"K.transpose(1, 2)": "K.reshape(batch, -1, seq)"},
    ),
    Variant(
        tag="self-attention-keys-transposed-with-the-batch",
        description="Exchanges batch and tokens of K: the sizes clash",
        message="You exchange the first two axes of K, batch and tokens, and then the sizes clash. "
        "The batch should stay in front, and the other two change places.",
        edits={"K.transpose(1, 2)": "K.transpose(0, 1)"},
    ),
    Variant(
        tag="self-attention-keys-by-bmm-all-axes-transposed",
        description="Reverses all three axes of K with K.T in bmm: the sizes clash",
        message="You turn all three axes of the keys round, as `.T` does, so the batch comes last, "
        "and two different batches meet in `bmm`. In homework 1 there were only two axes to "
        "exchange. One of the three should stay where it is.",
        edits={"Q @ K.transpose(1, 2)": "torch.bmm(Q, K.permute(2, 1, 0))"},
    ),
    Variant(
        tag="self-attention-keys-transposed-by-t",
        description="Calls K.t(), which takes matrices only",
        message="`t()` is for matrices, and here there is a batch axis as well. A relative of it "
        "is told the two axes that change places.",
        edits={"K.transpose(1, 2)": "K.t()"},
    ),
    Variant(
        tag="self-attention-features-attend",
        description="Compares features with features: (d_k, d_k) scores for each sentence",
        message="Your scores compare features with features: a sentence gets (d_k, d_k) of them, "
        "however many tokens it has. It is tokens that look at each other, each with its query at "
        "the keys of all. Which of the two factors has to be turned?",
        edits={"Q @ K.transpose(1, 2)": "Q.transpose(1, 2) @ K", "weights @ V": "V @ weights"},
    ),
    Variant(
        tag="self-attention-values-transposed",
        description="Multiplies the weights with the transposed values: the sizes clash",
        message="You transpose the values, so a token's weights, one for each key, meet the "
        "features of a value. K had to be turned because features should meet features; here "
        "tokens should meet tokens. Which way round does V lie already?",
        edits={"weights @ V": "weights @ V.transpose(1, 2)"},
    ),
    Variant(
        tag="self-attention-weights-entry-by-entry",
        description="Multiplies weights * V entry by entry",
        message="You multiply weights and values entry by entry, as `*` does, and (seq, seq) "
        "weights don't lie over (seq, d_k) values. An output adds up all the values, each times "
        "its weight. Another operator multiplies and adds.",
        edits={"weights @ V": "weights * V"},
    ),
    Variant(
        tag="self-attention-output-averaged",
        description="Averages the output over the tokens",
        message="You average over the tokens at the end, so one vector is left for a whole "
        "sentence. Each token has an output of its own. Which axis went missing?",
        edits={"weights @ V": "(weights @ V).mean(dim=1)"},
    ),
    Variant(
        tag="self-attention-weights-averaged",
        description="Averages the returned weights over the queries",
        message="The weights that you return are averaged over the tokens. Each token looks its "
        "own way: row i is what token i attends to. Which axis went missing?",
        edits={"return output, weights": "return output, weights.mean(dim=1)"},
    ),
)
