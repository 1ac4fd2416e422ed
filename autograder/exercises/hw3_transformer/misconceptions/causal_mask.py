"""What learners get wrong in causal_mask."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

# What is cut, how, and what becomes of it are apart, so that two mistakes can be made at once.
REFERENCE = """\
def causal_mask(n):
    everything = torch.ones(n, n, dtype=torch.bool)
    mask = torch.tril(everything)
    return mask
"""

PREFIX = "mask"  # of the tags
NOT_MISTAKES = ("rounded", "rounded-coarsely")  # booleans are left as they are

MISCONCEPTIONS = (
    Variant(
        tag="mask-true-means-hidden",
        description="True above the diagonal: torch's attn_mask, not 'may attend'",
        message="Your mask is True exactly where a token must *not* look: that is the convention "
        "of torch's `attn_mask`. The exercise says what True means here.",
        edits={"torch.tril(everything)": "torch.triu(everything, diagonal=1)"},
    ),
    Variant(
        tag="mask-looks-ahead",
        description="The upper triangle with its diagonal: sees itself and all that is later",
        message="In your mask each token sees itself and whatever comes *after* it: the first "
        "token sees all, the last only itself. A row belongs to the token that looks. Which part "
        "of the row lies in its past?",
        edits={"torch.tril(everything)": "torch.triu(everything)"},
    ),
    Variant(
        tag="mask-not-itself",
        description="Strictly below the diagonal: a token doesn't see itself",
        message="In your mask no token sees itself, and the first one sees nothing at all: its "
        "weights would be 0/0. A token has already been written by the time its row is needed. "
        "What do the entries on the diagonal stand for?",
        edits={"torch.tril(everything)": "torch.tril(everything, diagonal=-1)"},
    ),
    Variant(
        tag="mask-one-too-far",
        description="One diagonal too many: sees the next token, which it should predict",
        message="In your mask each token sees one token too many: the very one that it should "
        "predict. Which is the last column that row 0 lets through, and which should it be?",
        edits={"torch.tril(everything)": "torch.tril(everything, diagonal=1)"},
    ),
    Variant(
        tag="mask-hides-nothing",
        description="True everywhere",
        message="Your mask lets everything through: in training, each position could simply read "
        "the token that it should predict. If you call `torch.tril` or the like, note that it "
        "returns a new tensor and leaves its argument unchanged. What do you do with the new one?",
        edits={"torch.tril(everything)": "everything"},
    ),
    Variant(
        tag="mask-itself-alone",
        description="The diagonal alone: sees no other token",
        message="In your mask each token sees itself and nothing else, so attention could carry "
        "nothing from one token to another. A writer sees more than the word written last.",
        edits={"torch.tril(everything)": "torch.eye(n, dtype=torch.bool)"},
    ),
    Variant(
        tag="mask-band",
        description="Sees itself and a few tokens before, nothing earlier",
        message="In your mask a token sees itself and no more than a few before it. A writer can "
        "look back at everything written so far.",
        edits={"torch.tril(everything)": "torch.tril(everything).triu(-1)"},
    ),
    Variant(
        tag="mask-mirrored",
        description="Counts from the right: an anti-diagonal triangle",
        message="Your triangle leans the wrong way: its edge runs from the upper right to the "
        "lower left. The columns are the tokens in order, the first on the left. Which column "
        "does row 0 let through?",
        edits={"torch.tril(everything)": "torch.tril(everything).flip(1)"},
    ),
    Variant(
        tag="mask-first-row-empty",
        description="Leaves out row 0 (a loop from 1, or an index shifted)",
        message="All rows of your mask are right except the first, which is empty. Positions count "
        "from 0, and the first token sees one token as well.",
        edits={"return mask": "mask[0] = False\n    return mask"},
    ),
    Variant(
        tag="mask-first-row-full",
        description="The first token sees all, the others are right",
        message="All rows of your mask are right except the first, which lets everything through: "
        "the token that comes first would know the whole text. Whatever it stands for, it looks "
        "as the others do. What does row 0 say about the token in column 1?",
        edits={"return mask": "mask[0] = True\n    return mask"},
    ),
    Variant(
        tag="mask-first-column-empty",
        description="Nobody but the first token sees the first one (a loop from 1)",
        message="In your mask no later token sees the very first one. Positions count from 0, in "
        "the columns as in the rows. Where do your columns begin?",
        edits={"return mask": "mask[1:, 0] = False\n    return mask"},
    ),
    Variant(
        tag="mask-itself-at-the-beginning-alone",
        description="Strictly below the diagonal, but the first token sees itself",
        message="In your mask the first token sees itself, but no other token does. Each has been "
        "written by the time its row is needed, so the rule is the same for all of them.",
        edits={
            "torch.tril(everything)": "torch.tril(everything, diagonal=-1)\n    mask[0, 0] = True"
        },
    ),
    Variant(
        tag="mask-sees-what-comes-later-alone",
        description="True above the diagonal and beyond the next token (diagonal=2)",
        message="Your mask is True only for tokens that come *after* the one that looks, and not "
        "even for all of those. True means *may attend*, and what has been written lies to the "
        "left. Which part of the square should be True, and from which diagonal on?",
        edits={"torch.tril(everything)": "torch.triu(everything, diagonal=2)"},
    ),
    Variant(
        tag="mask-to-be-added",
        description="An additive mask: 0 and -inf instead of booleans",
        message="Your mask is made to be *added* to scores: it holds numbers far below zero where "
        "a token must not look. That is a good mask of another kind. The exercise asks for "
        "booleans.",
        edits={"return mask": "return torch.zeros(n, n).masked_fill(~mask, -torch.inf)"},
    ),
    Variant(
        tag="mask-to-be-added-as-a-large-number",
        description="An additive mask: 0 and -1e9 instead of booleans",
        message="Your mask is made to be *added* to scores: it holds a number far below zero where "
        "a token must not look. That is a good mask of another kind. The exercise asks for "
        "booleans.",
        edits={"return mask": "return torch.zeros(n, n).masked_fill(~mask, -1e9)"},
    ),
    Variant(
        tag="mask-numbers",
        description="Numbers 0.0 and 1.0 (or 0 and 1) instead of booleans",
        message="Your mask holds floating-point numbers. They may stand for False and True, but "
        "`~` and `masked_fill` won't take them that way. The exercise names the type of the "
        "entries.",
        edits={"dtype=torch.bool": "dtype=torch.float32"},
    ),
    Variant(
        tag="mask-whole-numbers",
        description="Whole numbers 0 and 1 instead of booleans",
        message="Your mask holds whole numbers. `~` flips every bit of a number, so 1 doesn't "
        "become 0, and the inverted mask would be wrong. The exercise names the type of the "
        "entries.",
        edits={"dtype=torch.bool": "dtype=torch.int64"},
    ),
    Variant(
        tag="mask-extra-axis",
        description="Adds axes for batch or heads: (1, n, n)",
        message="Your mask has more axes than asked for. It is the same for every sequence and "
        "every head, and broadcasts by itself.",
        edits={"return mask": "return mask.unsqueeze(0)"},
    ),
    Variant(
        tag="mask-of-another-size",
        description="The size isn't n: fixed, or one off",
        message="For some n your mask doesn't have n rows and n columns. A mask has one row for "
        "each token that looks, and one column for each that is looked at, however many there are. "
        "Where does the size of yours come from?",
        edits={"torch.ones(n, n, ": "torch.ones(5, 5, "},
    ),
    Variant(
        tag="mask-one-axis",
        description="One axis: compares each place with itself",
        message="Your mask has a single axis, where a token that looks and one that is looked at "
        "need one each. Two vectors of length n, set against each other, are compared entry by "
        "entry. How does each of n rows meet each of n columns?",
        edits={"return mask": "return mask[-1]"},
    ),
    Variant(
        tag="mask-squeezed",
        description="squeeze takes the axes of length 1 away: a single token has no mask",
        message="For a single token your mask has lost an axis: it should be (1, 1). `squeeze` "
        "takes away every axis of length 1, and with one token both rows and columns are such an "
        "axis. Which axis did you mean to take away?",
        edits={"return mask": "return mask.squeeze()"},
    ),
    Variant(
        tag="mask-upside-down",
        description="Rows counted from the end: the last token sees itself alone",
        message="In your mask the last token sees one token and the first sees all: your rows "
        "count from the end. Row i belongs to token i, and the later it is in the text, the more "
        "has been written before it. How many tokens should row 0 see?",
        edits={"torch.tril(everything)": "torch.tril(everything).flip(0)"},
    ),
    Variant(
        tag="mask-last-row-empty",
        description="Leaves out the last row (a loop that ends one early)",
        message="All rows of your mask are right except the last, which is empty. n tokens have n "
        "rows, and the last one sees the most. How many rows does your function fill?",
        edits={"return mask": "mask[-1] = False\n    return mask"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
A sentence of three tokens, so the mask has 3 · 3 = 9 entries. A row belongs to the token that
looks, a column to the token that is looked at, and True says that it may.

The first token may look at itself alone: nothing else has been written when it is read. Its row
holds one True, at the very left.

The second may look at the first and at itself: two of three.

The third may look at all three.

That makes 1 + 2 + 3 = 6 times True, and False 9 − 6 = 3 times. On the line from the top left to
the bottom right, where a token looks at itself, all are True.

Count yours, row by row. Who may look at whom in your first row, and in your last?""",
        "causal_mask(3)",
        [[True, False, False], [True, True, False], [True, True, True]],
    ),
)
