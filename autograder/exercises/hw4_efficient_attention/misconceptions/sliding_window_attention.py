"""What learners get wrong in sliding_window_attention."""

from __future__ import annotations

from autograder.misconceptions import Variant

REFERENCE = """\
def sliding_window_attention(Q, K, V, window):
    batch, n, d = Q.shape
    output = torch.zeros(batch, n, d)
    for i in range(n):
        start, stop = max(0, i - window), min(n, i + window + 1)
        scores = torch.einsum("bd,bkd->bk", Q[:, i], K[:, start:stop])
        scores = scores / math.sqrt(d)
        weights = torch.softmax(scores, dim=-1)
        output[:, i] = torch.einsum("bk,bkd->bd", weights, V[:, start:stop])
    return output
"""

# All scores at once and a mask, as many begin: what is wrong with the mask is an edit of this.
BY_MASK = """\
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    position = torch.arange(n)
    mask = (position[:, None] - position).abs() <= window
    scores = Q @ K.transpose(1, 2) / math.sqrt(d)
    scores = scores.masked_fill(~mask, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights @ V
"""

# Neighbours as slices of padded keys, side by side.
BY_SHIFTS = """\
def sliding_window_attention(Q, K, V, window):
    n, d = Q.shape[1:]
    shifts = range(2 * window + 1)
    keys, values = (F.pad(x, (0, 0, window, window)) for x in (K, V))
    scores = torch.stack([(Q * keys[:, s : s + n]).sum(-1) for s in shifts], dim=-1)
    weights = torch.softmax(scores / math.sqrt(d), dim=-1)
    return sum(weights[..., s, None] * values[:, s : s + n] for s in shifts)
"""

WRONG_REACH = (
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

WRONG_SHARES = (
    Variant(
        tag="sliding-window-zero-scores-outside",
        description="Gives keys outside the window the score 0 instead of -inf",
        message="Outside the window your scores are 0, and e⁰ = 1: a score of 0 is a score like "
        "any other, so those keys still get a share. Which score gets the share 0 from the "
        "softmax?",
        source=BY_MASK,
        edits={'scores.masked_fill(~mask, float("-inf"))': "scores * mask"},
        pairs=False,
    ),
    Variant(
        tag="sliding-window-masked-after-softmax",
        description="Sets weights outside the window to 0 after a softmax over all keys",
        message="Your softmax shares out the attention among *all* keys, and what falls outside "
        "the window is thrown away afterwards. So the rest no longer sums to 1. What has to happen "
        "before the softmax?",
        source=BY_MASK,
        edits={
            '    scores = scores.masked_fill(~mask, float("-inf"))\n': "",
            "weights @ V": "(weights * mask) @ V",
        },
        pairs=False,
    ),
    Variant(
        tag="sliding-window-padding-attended",
        description="Padded places at both ends take part in the softmax with the score 0",
        message="At both ends of the sequence you pad with zeros, and the padding gets a share of "
        "the attention: its scores are 0, and e⁰ = 1. A key that doesn't exist must count for "
        "nothing. What has to happen to its score?",
        source=BY_SHIFTS,
    ),
    Variant(
        tag="sliding-window-no-softmax",
        description="Weights the values with raw scores: no softmax",
        message="Your values are weighted by the scores themselves, which may be negative and sum "
        "to anything. Softmax makes shares of them. What does attention weigh with?",
        edits={"torch.softmax(scores, dim=-1)": "scores"},
    ),
    Variant(
        tag="sliding-window-softmax-over-batch",
        description="Softmax over the first axis, the batch",
        message="Your softmax runs along the first axis, so the sentences of a batch take "
        "attention away from each other. Each query shares out its attention among keys: along "
        "which axis of your scores do they lie?",
        edits={"dim=-1": "dim=0"},
    ),
    Variant(
        tag="sliding-window-plain-average",
        description="All neighbours count alike: queries and keys have no effect",
        message="Each of your tokens takes home the plain average of its neighbours: what queries "
        "and keys say has no effect on it. A window decides who *may* be attended, not how much.",
        edits={"weights = torch.softmax(scores, dim=-1)": "weights = (0 * scores).softmax(dim=-1)"},
    ),
)

WRONG_SCALE = (
    Variant(
        tag="sliding-window-not-scaled",
        description="The scores are not divided by the root of d",
        message="Your scores go into the softmax as they are, so the attention is sharper than it "
        "should be. A window changes which scores there are, not how large they are. What does "
        "`full_attention` divide by?",
        edits={" / math.sqrt(d)": ""},
    ),
    Variant(
        tag="sliding-window-scaled-by-d",
        description="The scores are divided by d instead of its root",
        message="Your scores are divided by d, so the attention is flatter than it should be. The "
        "spread of a dot product grows with the *root* of the number of its terms.",
        edits={"math.sqrt(d)": "d"},
    ),
    Variant(
        tag="sliding-window-scaled-by-the-width",
        description="The scores are divided by the root of the window's width",
        message="You divide the scores by the root of how many keys a window holds. How large a "
        "dot product gets depends on how many *features* are multiplied and added, not on how many "
        "keys there are.",
        edits={"math.sqrt(d)": "math.sqrt(2 * window + 1)"},
    ),
    Variant(
        tag="sliding-window-scaled-by-n",
        description="The scores are divided by the root of n",
        message="You divide the scores by the root of the number of tokens. How large a dot "
        "product gets depends on how many *features* are multiplied and added. Which axis of Q "
        "holds them?",
        edits={"math.sqrt(d)": "math.sqrt(n)"},
    ),
)

WRONG_TENSOR = (
    Variant(
        tag="sliding-window-averages-the-keys",
        description="Averages the keys instead of the values",
        message="Your weights average the *keys*. Keys are what tokens are found by; what they "
        "hand over when found is another tensor. Which of your three inputs is never used?",
        edits={"V[:, start:stop]": "K[:, start:stop]"},
    ),
    Variant(
        tag="sliding-window-queries-and-keys-swapped",
        description="Row i compares the key of token i with the queries around it",
        message="Row i of your scores compares the *key* of token i with the queries around it. "
        "The softmax should share out the attention of a query: which of the two belongs to token "
        "i?",
        edits={"Q[:, i], K[:, start:stop]": "K[:, i], Q[:, start:stop]"},
    ),
    Variant(
        tag="sliding-window-changes-its-input",
        description="Scales Q in place: the caller's tensor is changed",
        message="Your values are right, but the caller's Q is no longer what it was: `/=`, `*=` "
        "and assignments to slices write into the tensor that was handed to you. Which line does?",
        edits={
            "    output = torch": "    Q /= math.sqrt(d)\n    output = torch",
            "        scores = scores / math.sqrt(d)\n": "",
        },
        pairs=False,
    ),
    Variant(
        tag="sliding-window-nothing-returned",
        description="Computes, but returns nothing",
        message="Your function returns None, though it computes something. A function hands back "
        "what follows `return`: is yours there, and outside the loop?",
        edits={"    return output": "    output"},
        pairs=False,
    ),
)

MISCONCEPTIONS = (*WRONG_REACH, *WRONG_SHARES, *WRONG_SCALE, *WRONG_TENSOR)
