"""What learners get wrong in sliding_window_attention: reach."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import VISIBLE

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-edge-left-out",
        description="Uses |i - j| < window: the keys at the very edge are left out",
        message="Your window ends one token too early on both sides. The exercise says *at most* "
        "`window` places away, so a key that is just as far still counts.",
        edits={"reach = window": "reach = window - 1"},
    ),
    Variant(
        tag="sliding-window-last-key-cut-off",
        description="The slice stops at i + window: the last key on the right is left out",
        message="To the left your window reaches `window` tokens, to the right one fewer. A slice "
        "in Python stops *before* its second number. Which is the last key in a query's window, "
        "and which number has to follow the colon?",
        edits={"last = i + reach": "last = i + reach - 1"},
    ),
    Variant(
        tag="sliding-window-first-key-cut-off",
        description="The slice starts at i - window + 1: the first key on the left is left out",
        message="To the right your window reaches `window` tokens, to the left one fewer. A slice "
        "starts *at* its first number. Count the tokens of one window on your fingers: there "
        "should be as many before the query as after it.",
        edits={"first = i - reach": "first = i - reach + 1"},
    ),
    Variant(
        tag="sliding-window-one-too-wide",
        description="Reaches window + 1 tokens to both sides",
        message="Your window reaches one token too far on both sides: with `window = 0` each token "
        "should see itself alone, but yours sees three. How many tokens lie at most `window` "
        "places from a given one, itself included?",
        edits={"reach = window": "reach = window + 1"},
    ),
    Variant(
        tag="sliding-window-width-in-total",
        description="Takes window for the whole width: reaches window // 2 to each side",
        message="Your window is `window` tokens wide *in all*, half to each side, as Longformer "
        "counts it. Here `window` is the reach to *each* side. Altogether it is then more than "
        "twice as wide.",
        edits={"reach = window": "window = reach = window // 2"},
    ),
    Variant(
        tag="sliding-window-in-buckets",
        description="Buckets of the window's size see themselves and both neighbours whole",
        message="Your tokens see whole blocks: their own, the one before and the one after, so "
        "most of them reach further than `window`. That is a fast way to gather what is near, if "
        "what lies too far is hidden afterwards. What is hidden in your code?",
        edits={
            "    visible =": (
                "    size, sides = max(window, 1), int(window > 0)\n"
                "    first = (i // size - sides) * size\n"
                "    last = (i // size + sides) * size + size - 1\n"
                "    visible ="
            )
        },
    ),
    Variant(
        tag="sliding-window-causal",
        description="Looks back only: keys after the query are left out",
        message="Your tokens look back but not ahead. That is the window of a decoder; here a "
        "token attends to its neighbours on *both* sides. In |i − j|, what do the two strokes do?",
        edits={"last = i + reach": "last = i"},
    ),
    Variant(
        tag="sliding-window-looks-ahead-only",
        description="Looks ahead only: keys before the query are left out",
        message="Your tokens look ahead but not back. In this window a token attends to its "
        "neighbours on *both* sides. The two strokes in |i − j| say so.",
        edits={"first = i - reach": "first = i"},
    ),
    Variant(
        tag="sliding-window-open-ahead",
        description="No end on the right: all keys after the query are seen",
        message="To the left your window ends, to the right it doesn't: each token sees all that "
        "come after it. In |i − j|, i − j is below 0 for later keys. What do the two strokes make "
        "of it?",
        edits={"last = i + reach": "last = i + n"},
    ),
    Variant(
        tag="sliding-window-open-behind",
        description="No end on the left: all keys before the query are seen",
        message="To the right your window ends, to the left it doesn't: each token sees all that "
        "came before it. The two strokes in |i − j| treat left and right alike.",
        edits={"first = i - reach": "first = i - n"},
    ),
    *(
        Variant(
            tag=f"sliding-window-blocks{suffix}",
            description=f"Cuts the sequence into blocks of {size}; tokens attend within their own",
            message="You cut the text into blocks, and each token sees its own block only, so two "
            "neighbours on either side of a cut don't see each other. The window should *slide*: "
            "each token is in the middle of its own window. What decides which tokens your token i "
            "may see?",
            edits={VISIBLE: f"i // ({size}) == j // ({size})"},
        )
        for suffix, size in (
            ("", "2 * window + 1"),
            ("-of-twice-the-window", "max(1, 2 * window)"),
            ("-of-the-window-and-one", "window + 1"),
            ("-of-the-window", "max(1, window)"),
        )
    ),
    Variant(
        tag="sliding-window-blocks-with-margins",
        description="Blocks of queries see all keys of their block and of its margins",
        message="You take the text block by block, and tokens side by side see the very same keys: "
        "whatever lies in their block or near it, even more than `window` places away. That is a "
        "fast way to gather keys. Which of those gathered does each token have to leave out?",
        edits={
            "    visible =": (
                "    size = 2 * window + 1\n"
                "    first = i // size * size - window\n"
                "    last = i // size * size + size - 1 + window\n"
                "    visible ="
            )
        },
    ),
    Variant(
        tag="sliding-window-ignored",
        description="Ignores the window: full attention",
        message="Your result is that of full attention: how far a key is from a query has no "
        "effect. Is there a step in your code that hides keys? Does it come before the softmax?",
        edits={VISIBLE: "(i == i) | (j == j)"},
    ),
    Variant(
        tag="sliding-window-mask-inverted",
        description="True and False exchanged: only keys beyond the window are attended",
        message="Your tokens attend to exactly those that they should not see, and to none inside "
        "their window. In a mask, True can mean *may be seen* or *is hidden*. Which is it in "
        "yours?",
        edits={"~visible": "visible"},
    ),
    Variant(
        tag="sliding-window-not-itself",
        description="Hides each token from itself",
        message="Your tokens attend to their neighbours on both sides, but not to themselves. The "
        "exercise says *at most* `window` places away. How far is a token from itself?",
        edits={VISIBLE: f"{VISIBLE} & (i != j)"},
    ),
    Variant(
        tag="sliding-window-dilated",
        description="Sees every second token, up to 2 * window places away",
        message="Your window has gaps: each token sees every second one, and that up to twice "
        "`window` places away. Longformer calls such a window *dilated*. Here it has no gaps: all "
        "tokens that are at most `window` places away are seen.",
        edits={VISIBLE: "(abs(i - j) <= 2 * reach) & ((i - j) % 2 == 0)"},
    ),
    Variant(
        tag="sliding-window-every-second-token",
        description="Sees every second token of its window",
        message="Your window has gaps: of the tokens that are at most `window` places away, each "
        "token sees every second one. Here a window has no gaps.",
        edits={VISIBLE: f"{VISIBLE} & ((i - j) % 2 == 0)"},
    ),
    Variant(
        tag="sliding-window-edge-left-out-but-itself",
        description="Uses |i - j| < window, but lets each token see itself",
        message="Your window ends one token too early on both sides, though each token sees at "
        "least itself. The exercise says *at most* `window` places away, so a key that is just as "
        "far still counts.",
        edits={VISIBLE: "((j > i - reach) & (j < i + reach) | (i == j))"},
    ),
)

WINDOW = WorkedExample(
    """
Five tokens with the values 2, 4, 6, 8 and 16, and a window of 1: each token looks one token to
the left, at itself, and one to the right. All queries are 0, so every key that is seen gets the
same weight, and the result is the plain mean of what is seen.

In the middle, three are seen: (2 + 4 + 6)/3 = 4, (4 + 6 + 8)/3 = 6 and (6 + 8 + 16)/3 = 10.

At the ends, only two are left, and they share all the attention: (2 + 4)/2 = 3 and
(8 + 16)/2 = 12. Beyond the ends there is nobody, not even a zero.

Take a single number of yours, and find the values that it is the mean of. Which are too many, and
which are missing?""",
    """\
Q = K = torch.zeros(1, 5, 1)
V = torch.tensor([[[2.0], [4.0], [6.0], [8.0], [16.0]]])
sliding_window_attention(Q, K, V, 1)[0, :, 0]""",
    [3.0, 4.0, 6.0, 10.0, 12.0],
)
EXAMPLES = (WINDOW,)
