"""What learners get wrong in linear_attention: product."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from ...scores import TRANSPOSED_WHERE_NEEDED

MISCONCEPTIONS = (
    Variant(
        tag="linear-causal",
        description="Adds up keys and values up to each token only: causal linear attention",
        message="Your queries see only themselves and what came before: sums that grow from token "
        "to token make linear attention causal. Here every query attends to every key, later ones "
        "too, so one sum serves all.",
        edits={
            "phi_K.transpose(1, 2) @ V": "(phi_K.unsqueeze(-1) * V.unsqueeze(-2)).cumsum(dim=1)",
            "phi_Q @ summary": "(phi_Q.unsqueeze(-2) @ summary).squeeze(-2)",
            "phi_K.sum(dim=1).unsqueeze(-1)": "phi_K.cumsum(dim=1)",
            "phi_Q @ total": "(phi_Q * total).sum(dim=-1, keepdim=True)",
        },
    ),
    Variant(
        tag="linear-softmax-attention",
        description="Computes softmax attention: no feature map at all",
        message="Your result is that of softmax attention, the exponential included. It is what "
        "linear attention replaces: where in your function is φ?",
        source="def linear_attention(Q, K, V):\n    return full_attention(Q, K, V)\n",
    ),
    Variant(
        tag="linear-softmax-of-similarities",
        description="Applies a softmax to the similarities of the features",
        message="You put the similarities φ(q)·φ(k) through a softmax. They are weights already, "
        "except that they still have to be divided by their sum; the exponential is just what "
        "linear attention does without.",
        source="""\
def linear_attention(Q, K, V):
    similarities = (F.elu(Q) + 1) @ (F.elu(K) + 1).transpose(1, 2)
    return torch.softmax(similarities, dim=-1) @ V
""",
    ),
    Variant(
        tag="linear-summary-transposed",
        description="Multiplies the values with the keys: the summary is transposed",
        message="Your summary is transposed: its rows stand for features of the values, its "
        "columns for features of the keys. The shape is right, since both are d. Write the sizes "
        "below equation 6: which axis of the summary does a query meet?",
        edits={"phi_K.transpose(1, 2) @ V": "V.transpose(1, 2) @ phi_K"},
    ),
    Variant(
        tag="linear-keys-not-transposed",
        description="Multiplies keys and values without a transpose: the sizes clash",
        message="Where keys and values meet, the sizes clash: a row of φ(K) has d entries, a "
        "column of V has n. The sum in equation 5 runs over the tokens j.",
        edits={"phi_K.transpose(1, 2)": "phi_K"},
    ),
    Variant(
        tag="linear-keys-transposed-where-needed",
        description="Transposes the keys only where the sizes demand it",
        message=TRANSPOSED_WHERE_NEEDED,
        edits={
            "phi_K.transpose(1, 2)": (
                "(phi_K if phi_K.shape[1] == phi_K.shape[2] else phi_K.transpose(1, 2))"
            )
        },
    ),
    Variant(
        tag="linear-queries-and-keys-swapped",
        description="Queries and keys have changed places",
        message="Queries and keys have changed places: your summary is made of queries, and each "
        "key reads from it. The summary should hold what all tokens offer.",
        edits={"linear_attention(Q, K, V)": "linear_attention(K, Q, V)"},
    ),
    Variant(
        tag="linear-averages-the-keys",
        description="The summary is made of keys alone: the values are never used",
        message="Your function never uses V: the summary is made of keys alone. A key is what a "
        "token is found by; what it hands over when it is found is something else. The summary "
        "needs both.",
        edits={"@ V": "@ K"},
    ),
    Variant(
        tag="linear-changes-its-input",
        description="Applies elu in place: the caller's queries and keys are changed",
        message="An input is no longer what it was. A sum makes a new "
        "tensor. What writes into the tensor you were given is a sum that is assigned at once, a "
        "function whose name ends with an underscore, or one that is told to work in place. Look "
        "for such a line.",
        edits={"F.elu(Q)": "F.elu(Q, inplace=True)", "F.elu(K)": "F.elu(K, inplace=True)"},
    ),
    Variant(
        tag="linear-summary-over-batch",
        description="One summary for all sentences of the batch",
        message="Your summary adds up the keys and values of *all* sentences of the batch, so what "
        "a sentence gets depends on its neighbours in the batch. Each sentence has a summary of "
        "its own.",
        edits={"phi_K.transpose(1, 2) @ V": "(phi_K.transpose(1, 2) @ V).sum(dim=0)"},
    ),
    Variant(
        tag="linear-one-summary-for-the-batch",
        description="One summary and one sum of keys for all sentences of the batch",
        message="You add up the keys and values of *all* sentences of the batch, above the line "
        "and below it, so every sentence reads from the same summary, and hears of the others. "
        "Each sentence has one of its own.",
        edits={
            "phi_K.transpose(1, 2) @ V": "(phi_K.transpose(1, 2) @ V).sum(dim=0)",
            "phi_K.sum(dim=1)": "phi_K.sum(dim=(0, 1))",
        },
    ),
    Variant(
        tag="linear-first-sentence-for-all",
        description="Every query reads the summary and the sum of the first sentence's keys",
        message="Every sentence of your batch reads from the keys and values of the *first* one. "
        "Each sentence has a summary of its own. What does your code do with the axis of the "
        "batch?",
        edits={"phi_Q @ summary": "phi_Q @ summary[:1]", "phi_Q @ total": "phi_Q @ total[:1]"},
    ),
    Variant(
        tag="linear-softmax-of-the-result",
        description="Applies a softmax to the result",
        message="You put the *result* through a softmax, so the features of each row compete with "
        "each other and sum to 1. It is the weights that should sum to 1, and the division in "
        "equation 4 sees to that.",
        edits={"numerator / normaliser": "torch.softmax(numerator / normaliser, dim=-1)"},
    ),
    Variant(
        tag="linear-squeezed",
        description="Squeezes the result: axes of length 1 are lost",
        message="Your result has lost an axis of length 1. `squeeze` without a number drops every "
        "such axis, be it that of a batch of one sentence or that of a single token. The result "
        "should have three axes, whatever their lengths.",
        edits={"numerator / normaliser": "(numerator / normaliser).squeeze()"},
    ),
    Variant(
        tag="linear-normaliser-squeezed",
        description="Squeezes the denominator before an axis is added: n = 1 loses its axis, too",
        message="You squeeze the denominator and then add an axis. `squeeze()` without a number "
        "removes *every* axis of length 1, and for a text of one token the axis of tokens is one. "
        "Then sentences are divided by what belongs to others. Which axis did you mean?",
        edits={"numerator / normaliser": "numerator / normaliser.squeeze().unsqueeze(-1)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two sentences with the same queries and keys. After the feature map, the queries are (2, 1) and
(1, 1), and the keys are (0.5, 1) and (2, 2). Every query looks at both keys, those after it too.

The first query: 2 · 0.5 + 1 · 1 = 2 and 2 · 2 + 1 · 2 = 6, which sum to 8. The second: 1.5 and 4,
which sum to 5.5. These are shared out as they are, without an exponential.

In the first sentence the values are 0 and 11: 6 · 11/8 = 8.25 and 4 · 11/5.5 = 8.

In the second they are 11 and 0: 2 · 11/8 = 2.75 and 1.5 · 11/5.5 = 3.

Each sentence sums up keys and values of its own. Which of the four numbers are right in yours, and
what do the wrong ones have in common?""",
        """\
Q = torch.tensor([[[1.0, 0.0], [0.0, 0.0]]]).repeat(2, 1, 1)
K = torch.tensor([[[-0.6931, 0.0], [1.0, 1.0]]]).repeat(2, 1, 1)
V = torch.zeros(2, 2, 2)
V[0, 1, 0] = V[1, 0, 0] = 11.0
linear_attention(Q, K, V)[:, :, 0]""",
        [[8.25, 8.0], [2.75, 3.0]],
    ),
)
