"""What learners get wrong in SelfAttention: softmax."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-softmax-over-queries",
        description="Softmax along the queries' axis instead of the keys'",
        message="Your columns sum to 1 where your rows should: the queries compete for each key. "
        "It is each query that shares out its attention among the keys. In scores of shape (batch, "
        "queries, keys), along which axis does one query's attention lie?",
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
        tag="self-attention-softmax-over-batch-where-as-many",
        description="Softmax along the batch where there are as many sentences as tokens",
        message="With as many sentences as tokens your softmax runs across the batch, so what a "
        "token attends to depends on the other sentences; with other sizes it runs along the keys. "
        "A length doesn't say what an axis stands for. What does your code decide by looking at "
        "sizes?",
        edits={"dim=-1": "dim=0 if batch == seq else -1"},
    ),
    Variant(
        tag="self-attention-sentences-share-one-softmax",
        description="Lets each query share its attention out among the keys of all sentences",
        message="Each query shares its attention out among the keys of all sentences, so for those "
        "of its own the shares sum to less than 1. Sentences must not know of each other. Where do "
        "batch and tokens become one axis?",
        edits={
            "weights = torch.softmax(scores, dim=-1)": (
                "rows = torch.softmax(\n"
                "            Q.flatten(0, 1) @ K.flatten(0, 1).T / math.sqrt(self.d_k), dim=-1)\n"
                "        blocks = rows.view(batch, seq, batch, seq)\n"
                "        weights = blocks.diagonal(dim1=0, dim2=2).permute(2, 0, 1)"
            ),
            "output = weights @ V": "output = (rows @ V.flatten(0, 1)).view(V.shape)",
        },
    ),
    Variant(
        tag="self-attention-no-softmax",
        description="Uses the scores as weights",
        message="You use the scores themselves as weights. They may be negative, and a token's "
        "don't sum to 1, so the output is no average. Equation 1 turns scores into shares first.",
        edits={"torch.softmax(scores, dim=-1)": "scores"},
    ),
    Variant(
        tag="self-attention-softmax-over-everything",
        description="One softmax over the whole matrix of a sentence",
        message="One softmax runs over all scores of a sentence, so all its tokens share a single "
        "attention. Each token has a whole one to give away: which of the scores belong to one "
        "query?",
        edits={"scores, dim=-1)": "scores.flatten(1), dim=-1).view_as(scores)"},
    ),
    Variant(
        tag="self-attention-softmax-over-all-sentences",
        description="One softmax over all scores of the batch",
        message="One softmax runs over all scores of the batch, so all tokens of all sentences "
        "share a single attention. Each token has a whole one to give away: which of the scores "
        "belong to one query?",
        edits={"scores, dim=-1)": "scores.flatten(), dim=-1).view_as(scores)"},
    ),
    Variant(
        tag="self-attention-all-look-at-the-first-sentence",
        description="Takes keys and values of the first sentence for all",
        message="The tokens of every sentence look at the first one: its keys and values serve "
        "all. Sentences must not know of each other. Which index is 0 where each sentence should "
        "have its turn?",
        edits={"Q @ K.": "Q @ K[:1].", "weights @ V": "weights @ V[:1]"},
    ),
    Variant(
        tag="self-attention-keys-of-all-sentences-added",
        description="Compares each query with the sum of the keys of all sentences",
        message="Each of your queries meets the keys of *all* sentences, added up place by place. "
        "A sentence should get the same whatever stands beside it in the batch. In an einsum, an "
        "axis of the batch has one letter in everything that belongs together. What happens to a "
        "letter that the result doesn't have?",
        edits={"Q @ K.transpose(1, 2)": 'torch.einsum("bid,cjd->bij", Q, K)'},
    ),
    Variant(
        tag="self-attention-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice. The second time its scores are shares between 0 and 1, "
        "which lie close together, so the weights come out nearly even. Which of the two is one "
        "too many?",
        edits={
            "torch.softmax(scores, dim=-1)": "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"
        },
    ),
    Variant(
        tag="self-attention-keepdim-lost",
        description="Writes softmax by hand and loses keepdim=True",
        message="Your sum removes the axis that it runs along, and torch lines the rest up with "
        "other axes: it crashes, or rows are divided by the sums of other rows. One argument keeps "
        "the axis in place, with length 1.",
        edits={
            "torch.softmax(scores, dim=-1)": "torch.exp(scores) / torch.exp(scores).sum(dim=-1)"
        },
    ),
    Variant(
        tag="self-attention-log-softmax",
        description="Uses log_softmax",
        message="Your weights are negative: they are the *logarithms* of shares, which is what a "
        "loss function likes. An average needs the shares themselves. Which function did you call?",
        edits={"torch.softmax(scores, dim=-1)": "torch.log_softmax(scores, dim=-1)"},
    ),
    Variant(
        tag="self-attention-sigmoid",
        description="Applies the sigmoid to each score",
        message="You treat each score by itself, with the sigmoid, so a token's weights don't sum "
        "to 1. But the keys compete for a query, so all scores of a row belong together.",
        edits={"torch.softmax(scores, dim=-1)": "torch.sigmoid(scores)"},
    ),
    Variant(
        tag="self-attention-winner-takes-all",
        description="Gives all the weight to the best key",
        message="Each token gives everything to its best key. Softmax is a *soft* maximum: the "
        "others keep a part, which shrinks as they fall behind, and only so can anything be "
        "learnt. What stands where you look for the largest score?",
        edits={"torch.softmax(scores, dim=-1)": "F.one_hot(scores.argmax(dim=-1), seq).float()"},
    ),
    Variant(
        tag="self-attention-always-causal",
        description="Hides later tokens with a causal mask",
        message="Your tokens see only what stands before them. That is for a decoder, which must "
        "not look ahead; here every token may look at every token. Which line made that mask?",
        edits={
            "        weights =": (
                "        scores = scores.masked_fill(torch.ones_like(scores).triu(1).bool(), "
                "-math.inf)\n"
                "        weights ="
            )
        },
    ),
    Variant(
        tag="self-attention-not-to-itself",
        description="Hides each token from itself",
        message="No token of yours may look at itself: the diagonal of your weights is 0. Nothing "
        "in equation 1 forbids it, and often a token's own value is what it needs most. Which line "
        "of yours does that?",
        edits={
            "        weights =": (
                "        scores = scores.masked_fill(torch.eye(seq).bool(), -1e9)\n"
                "        weights ="
            )
        },
    ),
    Variant(
        tag="self-attention-not-to-itself-even-alone",
        description="Hides each token from itself, so that a lone one has nothing to look at: nan",
        message="No token of yours may look at itself, so a token that is alone has nothing left "
        "to look at, and nan comes back. Nothing in equation 1 forbids it, and often a token's own "
        "value is what it needs most. Which line of yours does that?",
        edits={
            "        weights =": (
                "        scores = scores.masked_fill(torch.eye(seq).bool(), -math.inf)\n"
                "        weights ="
            )
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
One sentence of two tokens, whose queries are 1 and 0, and whose keys are 0 and 1.1. Here e^1.1 = 3,
and keys have one entry, so nothing has to be scaled.

The first token's scores are 1 · 0 = 0 and 1 · 1.1 = 1.1. So 1 + 3 = 4, and its weights are
1/4 = 0.25 and 3/4 = 0.75.

The second token's scores are 0 and 0, so its weights are 1/2 = 0.5 twice.

A row belongs to the token that looks, a column to the one that is looked at. Every token divides
one whole attention among all tokens of its sentence, also among those that come later. Add up your
own weights along the rows and down the columns. Which sums are 1?""",
        """\
attention, rows = SelfAttention(2, 1), ([1.0, -1.0], [0.0, 1.0986], [4.0, 8.0])
for layer, row in zip((attention.W_Q, attention.W_K, attention.W_V), rows):
    layer.weight.data, layer.bias.data = torch.tensor([row]), torch.zeros(1)
attention(torch.tensor([[[1.0, 0.0], [1.0, 1.0]]]))[1]""",
        [[[0.25, 0.75], [0.5, 0.5]]],
    ),
)
