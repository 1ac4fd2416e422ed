"""What learners get wrong in sliding_window_attention: shares."""

from __future__ import annotations

from autograder.testing import Variant

from ...scores import SOFTMAX

HIDE = "scores.masked_fill(hidden, -math.inf)"

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-zero-scores-outside",
        description="Gives keys outside the window the score 0 instead of -inf",
        message="Outside the window your scores are 0, or next to it, and e⁰ = 1: a score of 0 is "
        "a score like any other, so those keys still get a share. Which score gets the share 0 "
        "from the softmax?",
        edits={HIDE: "scores * ~hidden"},
    ),
    Variant(
        tag="sliding-window-masked-after-softmax",
        description="Sets weights outside the window to 0 after a softmax over all keys",
        message="Your softmax divides the attention among *all* keys, and what falls outside the "
        "window is thrown away afterwards, so the rest no longer sums to 1.",
        edits={f"    scores = {HIDE}\n": "", "weights @ values": "(weights * ~hidden) @ values"},
    ),
    Variant(
        tag="sliding-window-no-softmax",
        description="Weights the values with raw scores: no softmax",
        message="Your values are weighted by the scores themselves, which may be negative and sum "
        "to anything. Attention weighs with shares.",
        edits={SOFTMAX: "scores.masked_fill(hidden, 0)"},
    ),
    Variant(
        tag="sliding-window-softmax-over-queries",
        description="Softmax over the axis of the queries: columns compete, not rows",
        message="Your softmax runs along the axis of the queries, so for each *key* the shares of "
        "all queries sum to 1. It is a query that divides its attention, among keys. Along which "
        "axis of your scores do they lie?",
        edits={SOFTMAX: "torch.softmax(scores, dim=-2)"},
    ),
    Variant(
        tag="sliding-window-softmax-over-batch",
        description="Softmax over the first axis, the batch",
        message="Your softmax runs along the first axis, so the sentences of a batch take "
        "attention away from each other. Each query divides its attention among keys.",
        edits={SOFTMAX: "torch.softmax(scores, dim=0).masked_fill(hidden, 0)"},
    ),
    Variant(
        tag="sliding-window-plain-average",
        description="All neighbours count alike: queries and keys have no effect",
        message="Each of your tokens takes home the plain average of its neighbours: what queries "
        "and keys say has no effect. A window decides who *may* be attended to, not how much. "
        "Queries and keys should decide how much.",
        edits={"queries @ keys.transpose(1, 2)": "0 * (queries @ keys.transpose(1, 2))"},
    ),
)
