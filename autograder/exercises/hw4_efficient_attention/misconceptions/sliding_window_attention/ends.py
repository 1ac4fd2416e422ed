"""What learners get wrong in sliding_window_attention: where the sequence ends."""

from __future__ import annotations

from autograder.testing import Variant

from .reach import WINDOW
from .reference import VISIBLE

# Places go on beyond both ends.
BEYOND = "j = torch.arange(-window, n + window)"


ZEROS = "F.pad(x, (0, 0, window, window))"


def beyond_the_ends(padded: str) -> dict[str, str]:
    """Return the edits that let tokens see what `padded`, of x, has beyond both ends."""
    parts = {f"{part} = {x}": f"{part} = {padded.replace('x', x)}" for part, x in PARTS.items()}
    return {"j = torch.arange(n)": BEYOND, **parts}


PARTS = {"keys": "K", "values": "V"}

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-padding-attended",
        description="Padded places at both ends take part in the softmax with the score 0",
        message="At both ends of the sequence you pad with zeros, and the padding gets a share of "
        "the attention: its scores are 0, and e⁰ = 1. A key that doesn't exist must count for "
        "nothing. What has to happen to its score?",
        edits=beyond_the_ends(ZEROS),
    ),
    *(
        Variant(
            tag=f"sliding-window-padding-{where}-attended",
            description=f"Padded places {where} take part in the softmax; the others are hidden",
            message=message + " A key that doesn't exist must count for nothing. "
            "Which places are padded, counted from the first token?",
            edits=beyond_the_ends(ZEROS) | {VISIBLE: f"{VISIBLE} & ({real})"},
        )
        for where, real, message in (
            (
                "behind",
                "j >= 0",
                "In front of the first token nothing counts, as it should be, but behind the last "
                "one your padding gets a share: its scores are 0, and e⁰ = 1.",
            ),
            (
                "in-front",
                "j < n",
                "Behind the last token nothing counts, as it should be, but in front of the first "
                "one your padding gets a share: its scores are 0, and e⁰ = 1.",
            ),
            (
                "just-behind",
                "(j >= 0) & (j <= n)",
                "Just behind the last token one padded place gets a share, though you hide those "
                "further on: its score is 0, and e⁰ = 1.",
            ),
            (
                "just-in-front",
                "(j >= -1) & (j < n)",
                "Just in front of the first token one padded place gets a share, though you hide "
                "those further out: its score is 0, and e⁰ = 1.",
            ),
        )
    ),
    Variant(
        tag="sliding-window-padded-by-minus-infinity",
        description="Pads the keys, not the scores, with -inf: near the ends there is nan",
        message="Near the ends of the text your result is nan. A padded key of −∞ doesn't get the "
        "score −∞: a score is a sum of products, −∞ times a number below 0 is ∞, and ∞ − ∞ is no "
        "number. At which step would −∞ mean that a key is hidden?",
        edits=beyond_the_ends(ZEROS)
        | {"keys = K": "keys = F.pad(K, (0, 0, window, window), value=-math.inf)"},
    ),
    Variant(
        tag="sliding-window-zero-empty",
        description="Cuts padding off by a slice that is empty where the window is 0",
        message="With `window` = 0 you return nothing at all, where each token should see itself. "
        "In Python, -0 is 0. What does a slice hold that ends at 0?",
        edits={"return output": "return output if window else output[:, :0]"},
    ),
    Variant(
        tag="sliding-window-ends-repeated",
        description="Beyond both ends the outermost token counts again and again",
        message="At both ends of the sequence the outermost token counts several times, once for "
        "each place of the window that lies beyond the end. A key that doesn't exist must count "
        "for nothing.",
        edits=beyond_the_ends("x[:, j.clamp(0, n - 1)]"),
    ),
    Variant(
        tag="sliding-window-ends-reflected",
        description="Beyond both ends the sequence is mirrored",
        message="Beyond its ends your sequence goes on as in a mirror, so tokens near an end count "
        "twice. A key that doesn't exist must count for nothing.",
        edits=beyond_the_ends('F.pad(x.mT, (window, window), mode="reflect").mT'),
    ),
    Variant(
        tag="sliding-window-wraps-around",
        description="The window wraps around: the first token sees the last ones",
        message="In your function the first token sees the last ones, as if the text were a ring. "
        "A text has two ends. How do you reach the neighbours of a token, and what becomes of the "
        "places beyond the ends?",
        edits=beyond_the_ends("x[:, j % n]"),
    ),
    Variant(
        tag="sliding-window-wraps-around-once",
        description="The window wraps around, but no token is seen twice",
        message="In your function the first token sees the last ones, as if the text were a ring. "
        "A text has two ends. How do you reach the neighbours of a token, and what becomes of the "
        "places beyond the ends?",
        edits={VISIBLE: "(((j - i) % n <= reach) | ((i - j) % n <= reach))"},
    ),
    Variant(
        tag="sliding-window-wraps-around-the-whole",
        description="The window wraps around, and reaches at most half around the ring",
        message="In your function the first token sees the last ones, as if the text were a ring. "
        "A text has two ends. How do you reach the neighbours of a token, and what becomes of the "
        "places beyond the ends?",
        edits={
            "reach = window": "reach = min(window, (n - 1) // 2)",
            VISIBLE: "(((j - i) % n <= reach) | ((i - j) % n <= reach))",
        },
    ),
    Variant(
        tag="sliding-window-shifted-at-the-ends",
        description="Near an end the window is moved inwards, so that it keeps its whole width",
        message="Near both ends your windows move inwards until they are whole again, so the "
        "first token sees keys that are more than `window` places away. A window is centred on its "
        "query and is simply cut off where the text ends.",
        edits={
            "first = i - reach": "first = (i - reach).clamp(max=n - 2 * reach - 1).clamp(min=0)",
            "last = i + reach": "last = first + 2 * reach",
        },
    ),
    Variant(
        tag="sliding-window-starts-below-zero",
        description="The slice starts at a negative index: near the start it is empty or wrong",
        message="Near the start of the sequence your tokens lack neighbours, or see the wrong "
        "ones. A window around the first tokens would begin below zero, and to Python a negative "
        "index is no place before the start: it counts from the *end*. What is the smallest index "
        "that a window may begin with?",
        edits={"first = i - reach": "first = i - reach + n * (i < reach)"},
    ),
    Variant(
        tag="sliding-window-last-token-unseen",
        description="The slice stops at n - 1 at the latest: nobody sees the last token",
        message="Nobody sees the last token of your text, not even itself. Its number is n − 1, "
        "and a slice in Python stops *before* its second number. How large may that number be?",
        edits={"(j <= last)": "(j <= last) & (j < n - 1)"},
    ),
    Variant(
        tag="sliding-window-ends-left-out",
        description="Only tokens with a whole window are computed; the others stay 0",
        message="Tokens within `window` places of an end come back as zeros: only those with a "
        "whole window are computed. Near an end a token has fewer neighbours, but it has some. "
        "From where to where should your queries go?",
        edits={"return output": "return output * ((i >= window) & (i < n - window))"},
    ),
    Variant(
        tag="sliding-window-full-when-short",
        description="Full attention as soon as n ≤ 2 · window",
        message="On a short text your result is that of full attention, though its first and its "
        "last token are more than `window` places apart. A window that reaches beyond both ends "
        "from the middle doesn't do so from everywhere.",
        edits={"reach = window": "reach = window if n > 2 * window else n"},
    ),
)

EXAMPLES = (WINDOW,)
