"""What learners get wrong in sliding_window_attention: reach."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import BY_MASK, BY_SHIFTS

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-edge-left-out",
        description="Uses |i - j| < window: the keys at the very edge are left out",
        message="Your window ends one token too early on both sides, and with `window = 0` a token "
        "doesn't even see itself. The exercise says *at most* `window` places away. Which of the "
        "two signs says that, < or ≤?",
        source=BY_MASK,
        edits={"<=": "<"},
        pairs=False,
    ),
    Variant(
        tag="sliding-window-last-key-cut-off",
        description="The slice stops at i + window: the last key on the right is left out",
        message="To the left your window reaches `window` tokens, to the right one fewer. A slice "
        "in Python stops *before* its second number. Which is the last key of a query's window, "
        "and which number has to follow the colon?",
        edits={"i + window + 1": "i + window"},
    ),
    Variant(
        tag="sliding-window-first-key-cut-off",
        description="The slice starts at i - window + 1: the first key on the left is left out",
        message="To the right your window reaches `window` tokens, to the left one fewer. A slice "
        "starts *at* its first number. Count the tokens of one window on your fingers: are there "
        "as many before the query as after it?",
        edits={"i - window": "i - window + 1"},
    ),
    Variant(
        tag="sliding-window-one-too-wide",
        description="Reaches window + 1 tokens to both sides",
        message="Your window reaches one token too far on both sides: with `window = 0` each token "
        "should see itself alone, but yours sees three. How many tokens lie at most `window` "
        "places from a given one, itself included?",
        edits={"i - window": "i - window - 1", "i + window + 1": "i + window + 2"},
    ),
    Variant(
        tag="sliding-window-width-in-total",
        description="Takes window for the whole width: reaches window // 2 to each side",
        message="Your window is `window` tokens wide *in all*, half to each side, as Longformer "
        "counts it. Here `window` is the reach to *each* side. How wide is it then altogether?",
        edits={"i - window": "i - window // 2", "i + window": "i + window // 2"},
    ),
    Variant(
        tag="sliding-window-causal",
        description="Looks back only: keys after the query are left out",
        message="Your tokens look back but not ahead. That is the window of a decoder; here a "
        "token attends to its neighbours on *both* sides. In |i − j|, what do the two strokes do?",
        edits={"i + window + 1": "i + 1"},
    ),
    Variant(
        tag="sliding-window-looks-ahead-only",
        description="Looks ahead only: keys before the query are left out",
        message="Your tokens look ahead but not back. In this window a token attends to its "
        "neighbours on *both* sides. In |i − j|, what do the two strokes do?",
        edits={"max(0, i - window)": "i"},
    ),
    Variant(
        tag="sliding-window-starts-below-zero",
        description="The slice starts at a negative index: near the start it is empty or wrong",
        message="Near the start of the sequence your slices begin below zero, and in Python "
        "`K[:, -2:3]` does not begin two places before the start: it counts from the *end*. What "
        "is the smallest index that a window may begin with?",
        edits={"max(0, i - window)": "i - window"},
    ),
    Variant(
        tag="sliding-window-wraps-around",
        description="The window wraps around: the first token sees the last ones",
        message="In your function the first token sees the last ones, as if the text were a ring: "
        "`torch.roll`, or an index taken modulo n, does that. A text has two ends. What should "
        "happen to the places beyond them?",
        source=BY_SHIFTS,
        edits={
            "(F.pad(x, (0, 0, window, window)) for x in (K, V))": (
                "(x[:, torch.arange(-window, n + window) % n] for x in (K, V))"
            )
        },
        pairs=False,
    ),
    Variant(
        tag="sliding-window-blocks",
        description="Cuts the sequence into blocks; tokens attend within their own block only",
        message="You cut the text into blocks, and each token sees its own block only, so two "
        "neighbours on either side of a cut don't see each other. The window should *slide*: each "
        "token stands in the middle of a window of its own.",
        source=BY_MASK,
        edits={
            "mask = (position[:, None] - position).abs() <= window": (
                "block = position // (2 * window + 1)\n    mask = block[:, None] == block"
            )
        },
        pairs=False,
    ),
    Variant(
        tag="sliding-window-ignored",
        description="Ignores the window: full attention",
        message="Your result is that of full attention: the distance between query and key has no "
        "effect on it. Note that `masked_fill` returns a new tensor. Is the window applied before "
        "the softmax, and is what comes of it used afterwards?",
        source=BY_MASK,
        edits={"scores = scores.masked_fill": "scores.masked_fill"},
        pairs=False,
    ),
    Variant(
        tag="sliding-window-mask-inverted",
        description="True and False exchanged: only keys beyond the window are attended",
        message="Your tokens attend to exactly those that they should not see, and to none inside "
        "their window. `masked_fill` fills where its mask is *True*. What does True mean in yours?",
        source=BY_MASK,
        edits={"~mask": "mask"},
        pairs=False,
    ),
)
