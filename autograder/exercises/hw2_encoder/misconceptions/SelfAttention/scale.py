"""What learners get wrong in SelfAttention: scale."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-not-scaled",
        description="Doesn't divide the scores by the root of d_k",
        message="Your scores go into softmax just as the products come out. The more features a "
        "query has, the larger they grow, until softmax gives one key nearly everything. One step "
        "of equation 1 stands between product and softmax.",
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
        "have been projected to another width. What counts is how many features their product adds "
        "up.",
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
        edits={"math.sqrt(self.d_k)": "math.sqrt(seq)"},
    ),
    Variant(
        tag="self-attention-scaled-by-batch",
        description="Divides the scores by the root of the batch size",
        message="Your scale depends on how many sentences there are in the batch, which know "
        "nothing of each other. A score adds up products of features: which axis of Q counts "
        "those?",
        edits={"math.sqrt(self.d_k)": "math.sqrt(batch)"},
    ),
    Variant(
        tag="self-attention-scaled-after-softmax",
        description="Divides the weights instead of the scores",
        message="You divide after the softmax, so a token's weights no longer sum to 1, and the "
        "scores go into it at full size. Look where the bracket of softmax closes in equation 1.",
        edits={
            " / math.sqrt(self.d_k)": "",
            "torch.softmax(scores, dim=-1)": "torch.softmax(scores, dim=-1) / math.sqrt(self.d_k)",
        },
    ),
    Variant(
        tag="self-attention-output-scaled",
        description="Divides the output instead of the scores",
        message="You divide the output, so the average comes out too small, and the scores go into "
        "softmax at full size. Look where the bracket of softmax closes in equation 1.",
        edits={" / math.sqrt(self.d_k)": "", "weights @ V": "weights @ V / math.sqrt(self.d_k)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two tokens of two features, (1, 0) and (0, 1), with queries and keys of four entries.

The first token's query is (2, 0, 0, 0), and the keys are (0, 0, 0, 0) and (1.1, 0, 0, 0), where
e^1.1 = 3.

The dot products are 0 and 2 · 1.1 = 2.2. A dot product adds up four terms, one for each entry of a
key, so it is divided by √4 = 2: the scores are 0 and 2.2/2 = 1.1.

Only now comes softmax: 1 + 3 = 4, so the weights are 1/4 = 0.25 and 3/4 = 0.75.

Without the division, the second token would get 0.9. Is yours larger than 0.75, or smaller? Do
your rows sum to 1? Which size did you take, and how many terms has a dot product?""",
        """\
attention = SelfAttention(2, 4)
for layer in (attention.W_Q, attention.W_K, attention.W_V):
    layer.weight.data, layer.bias.data = torch.zeros(4, 2), torch.zeros(4)
attention.W_Q.weight.data[0, 0], attention.W_K.weight.data[0, 1] = 2.0, 1.0986
attention(torch.eye(2)[None])[1]""",
        [[[0.25, 0.75], [0.5, 0.5]]],
    ),
)
