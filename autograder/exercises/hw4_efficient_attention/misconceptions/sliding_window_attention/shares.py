"""What learners get wrong in sliding_window_attention: shares."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

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
        tag="sliding-window-scores-of-zero-hidden",
        description="Takes each score that is exactly 0 for padding, and hides it",
        message="You hide every score that is exactly 0, as if padding alone had such. A key that "
        "exists may have one, too: a query of zeros finds all keys so, and then nobody is left to "
        "share among. Where there is padding, the places tell, and not the numbers.",
        edits={HIDE: "scores.masked_fill(hidden | (scores == 0), -math.inf)"},
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
        tag="sliding-window-softmax-along-the-text",
        description="Softmax over the tokens, for each place of the window by itself",
        message="Your softmax runs along the text: for each place of the window, such as that of "
        "the left neighbour, the shares of *all tokens* sum to 1. It is a token that divides its "
        "attention, among the places of its own window. Along which axis of your scores do these "
        "lie?",
        source="""\
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    reach = min(window, n - 1)
    places = torch.arange(n)[:, None] + torch.arange(-reach, reach + 1)
    hidden = (places < 0) | (places >= n)
    places = places.clamp(0, n - 1)
    scores = (Q[:, :, None] * K[:, places]).sum(dim=-1) / math.sqrt(d)
    weights = torch.softmax(scores.masked_fill(hidden, -math.inf), dim=1)
    return (weights[..., None] * V[:, places]).sum(dim=2)
""",
    ),
    Variant(
        tag="sliding-window-softmax-over-one-entry",
        description="Softmax over an axis of length 1: every share is 1, and values are added up",
        message="Each key in your window has the share 1, whatever its score, so the values are "
        "*added up*. A softmax along an axis of length 1 has nothing to share out. Along which "
        "axis of your scores do the keys lie?",
        edits={SOFTMAX: "1.0 * ~hidden"},
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

EXAMPLES = (
    WorkedExample(
        """
Three tokens with keys of one entry, so nothing has to be scaled, and a window of 1. The queries
are 0, 1 and 0, the keys 1.1, 0 and 0, where e^1.1 = 3, and the values 10, 0 and 0.

The first token sees itself and the second. Its scores are 0 and 0, so each gets 1/2 = 0.5, and it
takes home 0.5 · 10 = 5. The third key is hidden: it gets nothing, not even what a score of 0
would give, and the weights of the other two sum to 1 without it.

The middle token sees all three: 3 + 1 + 1 = 5, so the first gets 3/5 = 0.6, and the result is
0.6 · 10 = 6.

Write down the weights of your first token. Do they sum to 1, and is the third of them 0?""",
        """\
Q, K, V = torch.zeros(1, 3, 1), torch.zeros(1, 3, 1), torch.zeros(1, 3, 1)
Q[0, 1, 0], K[0, 0, 0], V[0, 0, 0] = 1.0, 1.0986, 10.0
sliding_window_attention(Q, K, V, 1)[0, :, 0]""",
        [5.0, 6.0, 0.0],
    ),
)
