"""What learners get wrong in MultiHeadAttention: softmax."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-softmax-over-queries",
        description="Softmax along the queries' axis instead of the keys'",
        message="Your softmax runs along the queries, so they compete for each key. It is each "
        "query that shares out its attention among the keys. Your scores have four axes, (batch, "
        "heads, queries, keys): along which one should a sum be 1?",
        edits={"dim=-1)": "dim=-2)"},
    ),
    Variant(
        tag="multi-head-softmax-over-heads",
        description="Softmax along the heads' axis (also F.softmax without a dim)",
        message="Your softmax runs along the heads, so they compete with each other for every pair "
        "of tokens. Each head should have an opinion of its own. If you named no `dim`, torch "
        "chose that axis for you: which of the four holds the keys?",
        edits={"dim=-1)": "dim=1)"},
    ),
    Variant(
        tag="multi-head-softmax-over-batch",
        description="Softmax along the batch",
        message="Your softmax runs across the batch, so what a token attends to depends on the "
        "other sentences. Sentences must not know of each other. Your scores have four axes, "
        "(batch, heads, queries, keys): along which one should a sum be 1?",
        edits={"dim=-1)": "dim=0)"},
    ),
    Variant(
        tag="multi-head-softmax-twice",
        description="Applies softmax twice",
        message="Softmax is applied twice. The second time its scores are shares between 0 and 1, "
        "which lie close together, so the weights come out nearly even, and hidden keys get their "
        "part again. Which of the two is one too many?",
        edits={
            "torch.softmax(scores, dim=-1)": "torch.softmax(torch.softmax(scores, dim=-1), dim=-1)"
        },
    ),
    Variant(
        tag="multi-head-no-softmax",
        description="Averages with the scores: no softmax, or its result unused",
        message="Your values are multiplied with the scores themselves, which may be negative, and "
        "a query's don't sum to 1, so a head returns no average. Shares have to be made of the "
        "scores before they meet the values.",
        edits={"torch.softmax(scores, dim=-1)": "scores"},
    ),
)
