"""What learners get wrong in MultiHeadAttention: the axes of the mask."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import FILL

MISCONCEPTIONS = (
    Variant(
        tag="multi-head-mask-gets-an-axis",
        description="Gives every mask one more axis by unsqueeze(1)",
        message="You give every mask one more axis, and then the sizes clash. Masks come ready to "
        "broadcast to (batch, n_heads, n_q, n_k): torch aligns the last axes and makes up the "
        "missing ones in front. Nothing is left for you to do.",
        edits={FILL: FILL.replace("~mask", "~mask.unsqueeze(1)")},
    ),
    Variant(
        tag="multi-head-mask-gets-an-axis-for-heads",
        description="Takes masks of three axes for (batch, n_q, n_k)",
        message="You take a mask of three axes for (batch, n_q, n_k), one for each sentence. Masks "
        "come ready to broadcast: aligned from the last axis, three of them are (n_heads, n_q, "
        "n_k). To which of your scores' axes does a mask's first one belong?",
        edits={
            FILL: (
                "mask = mask.unsqueeze(1) if mask.dim() == 3 else mask\n"
                "            scores = scores.masked_fill(~mask, -math.inf)"
            )
        },
    ),
    Variant(
        tag="multi-head-mask-gets-two-axes",
        description="Gives every mask two more axes in front",
        message="You give every mask two more axes in front. `(n_q, n_k)` doesn't need them, since "
        "torch makes up missing axes in front by itself, and a mask of four axes ends with six. "
        "Nothing is left for you to do.",
        edits={FILL: "scores = scores.masked_fill(~mask[None, None], -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-taken-for-rows-of-sentences",
        description="Takes a mask of two axes, or every mask, for (batch, n_k)",
        message="You take a mask of two axes for one row of keys per sentence, and put axes "
        "between the two. Here it is (n_q, n_k), one mask for everybody; a row for each sentence "
        "comes as (batch, 1, 1, n_k). Both broadcast as they are.",
        edits={FILL: "scores = scores.masked_fill(~mask[:, None, None, :], -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-of-another-sentence",
        description="Lines up scores by head, then sentence, and masks by sentence, then head",
        message="With several sentences and heads, some obey the mask of another. Heads and "
        "sentences that share an axis stand in one of two orders: all sentences of the first head "
        "first, or all heads of the first sentence. In which do your scores stand, and in which "
        "your masks?",
        edits={
            FILL: (
                "mask = mask.expand_as(scores).reshape(scores.transpose(0, 1).shape)\n"
                "            scores = scores.masked_fill(~mask.transpose(0, 1), -math.inf)"
            )
        },
    ),
    Variant(
        tag="multi-head-mask-transposed",
        description="Transposes the mask: queries and keys change places",
        message="You transpose the mask, so that its rows belong to the keys. In your scores, and "
        "in every mask, the last axis is the keys'. Do the two lie in the same way already?",
        edits={FILL: "scores = scores.masked_fill(~mask.transpose(-2, -1), -math.inf)"},
    ),
    Variant(
        tag="multi-head-mask-in-first-head-only",
        description="Applies the mask to the first head alone",
        message="Only your first head obeys the mask; the others look at hidden keys. A mask of "
        "(n_q, n_k) is for everybody. Broadcasting makes up its missing axes, if you let it.",
        edits={
            FILL: (
                "hidden = scores.masked_fill(~mask, -1e9)\n"
                "            scores = torch.cat([hidden[:, :1], scores[:, 1:]], dim=1)"
            )
        },
    ),
    Variant(
        tag="multi-head-mask-of-four-axes-only",
        description="Indexes four axes of the mask: masks with fewer fail",
        message="A mask of four axes works, but one with fewer ends in an error: your code reaches "
        "for axes that it doesn't have. A mask broadcasts as it is, and nobody needs its single "
        "axes.",
        edits={FILL: FILL.replace("~mask", "~mask[:, :, :, : key.shape[1]]")},
    ),
    Variant(
        tag="multi-head-mask-of-fewer-axes-ignored",
        description="Applies a mask of four axes alone: one with fewer has no effect",
        message="A mask of four axes works, but one with fewer has no effect. A mask broadcasts as "
        "it is, however many axes it has. What does your code ask of the mask before it uses it?",
        edits={FILL: f"if mask.dim() == 4:\n                {FILL}"},
    ),
    Variant(
        tag="multi-head-mask-of-the-first-head-for-all",
        description="Of a mask of four axes, takes that of the first head for all heads",
        message="A mask of four axes may say something else to each head. In yours, all heads obey "
        "what is meant for the first. A mask broadcasts to the scores as it is: which index is one "
        "too many?",
        edits={
            FILL: FILL.replace("~mask", "~(mask[:, :1] if mask.dim() == 4 else mask)"),
        },
    ),
    Variant(
        tag="multi-head-first-heads-mask-for-all",
        description="Broadcasts the mask, and takes that of the first head for all heads",
        message="A mask may say something else to each head. In yours, all heads obey what is "
        "meant for the first. Each head has scores of its own, and in a mask that is broadcast to "
        "them a part of its own: which index stays the same for all heads?",
        edits={FILL: FILL.replace("~mask", "~mask.expand(scores.shape)[:, :1]")},
    ),
    Variant(
        tag="multi-head-keys-seen-by-one-head-seen-by-all",
        description="Makes one mask of those of all heads: what one may see, all see",
        message="A mask may say something else to each head. In yours, what one head may see, all "
        "heads see. A mask broadcasts to the scores as it is, with a part for each head where it "
        "has one: which step makes one of them all?",
        edits={FILL: FILL.replace("~mask", "~mask.expand(scores.shape).any(1, keepdim=True)")},
    ),
)
