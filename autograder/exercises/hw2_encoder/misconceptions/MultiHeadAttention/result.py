"""What learners get wrong in MultiHeadAttention: result."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-weights-returned-too",
        description="Returns (output, weights) where the output alone is asked for",
        message="You return a pair, as SelfAttention does. This exercise asks for the output "
        "alone: one tensor of shape (batch, n_q, d_model).",
        edits={"return output": "return output, weights"},
    ),
    Variant(
        tag="multi-head-mean-weights-returned-too",
        description="Returns (output, weights averaged over the heads)",
        message="You return a pair, as PyTorch's own layer does. This exercise asks for the "
        "output alone: one tensor of shape (batch, n_q, d_model).",
        edits={"return output": "return output, weights.mean(dim=1)"},
    ),
    Variant(
        tag="multi-head-weights-returned-first",
        description="Returns (weights, output) where the output alone is asked for",
        message="You return a pair, as homework 1 did. This exercise asks for the output alone: "
        "one tensor of shape (batch, n_q, d_model).",
        edits={"return output": "return weights, output"},
    ),
)
