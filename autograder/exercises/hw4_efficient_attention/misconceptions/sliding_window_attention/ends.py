"""What learners get wrong in sliding_window_attention: where the sequence ends."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import BY_MASK, BY_SHIFTS

# The neighbours of each token by number, and beyond both ends the outermost tokens again.
BY_INDEX = """\
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    index = torch.arange(n)[:, None] + torch.arange(-window, window + 1)
    index = index.clamp(0, n - 1)
    scores = torch.einsum("bqd,bqkd->bqk", Q, K[:, index]) / math.sqrt(d)
    weights = torch.softmax(scores, dim=-1)
    return torch.einsum("bqk,bqkd->bqd", weights, V[:, index])
"""

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-padding-attended",
        description="Padded places at both ends take part in the softmax with the score 0",
        message="At both ends of the sequence you pad with zeros, and the padding gets a share of "
        "the attention: its scores are 0, and e⁰ = 1. A key that doesn't exist must count for "
        "nothing. What has to happen to its score?",
        source=BY_SHIFTS,
    ),
    Variant(
        tag="sliding-window-ends-repeated",
        description="Beyond both ends the outermost token counts again and again",
        message="At both ends of the sequence the outermost token counts several times, once for "
        "each place of the window that lies beyond the end. A key that doesn't exist must count "
        "for nothing.",
        source=BY_INDEX,
    ),
    Variant(
        tag="sliding-window-ends-reflected",
        description="Beyond both ends the sequence is mirrored",
        message="Beyond its ends your sequence goes on as in a mirror, so tokens near an end count "
        "twice. A key that doesn't exist must count for nothing.",
        source=BY_SHIFTS,
        edits={
            "F.pad(x, (0, 0, window, window))": 'F.pad(x.mT, (window, window), mode="reflect").mT'
        },
    ),
    Variant(
        tag="sliding-window-wraps-around",
        description="The window wraps around: the first token sees the last ones",
        message="In your function the first token sees the last ones, as if the text were a ring. "
        "A text has two ends. How do you reach the neighbours of a token, and what becomes of the "
        "places beyond the ends?",
        source=BY_SHIFTS,
        edits={
            "(F.pad(x, (0, 0, window, window)) for x in (K, V))": (
                "(x[:, torch.arange(-window, n + window) % n] for x in (K, V))"
            )
        },
    ),
    Variant(
        tag="sliding-window-starts-below-zero",
        description="The slice starts at a negative index: near the start it is empty or wrong",
        message="Near the start of the sequence your tokens lack neighbours, or see the wrong "
        "ones. A window around the first tokens would begin below zero, and to Python a negative "
        "index is no place before the start: it counts from the *end*. What is the smallest index "
        "that a window may begin with?",
        edits={"max(0, i - window)": "i - window"},
    ),
    Variant(
        tag="sliding-window-ends-left-out",
        description="Only tokens with a whole window are computed; the others stay 0",
        message="Tokens within `window` places of an end come back as zeros: only those with a "
        "whole window are computed. Near an end a token has fewer neighbours, but it has some. "
        "From where to where should your queries go?",
        edits={"for i in range(n):": "for i in range(window, n - window):"},
    ),
    Variant(
        tag="sliding-window-full-when-short",
        description="Full attention as soon as n ≤ 2 · window",
        message="On a short text your result is that of full attention, though its first and its "
        "last token are more than `window` places apart. A window that reaches beyond both ends "
        "from the middle doesn't do so from everywhere.",
        source=BY_MASK,
        edits={"<= window": "<= (window if n > 2 * window else n)"},
    ),
)
