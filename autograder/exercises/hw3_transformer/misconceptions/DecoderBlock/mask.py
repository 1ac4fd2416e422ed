"""What learners get wrong in DecoderBlock: mask."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import ASK, MASK, SILENT

MISCONCEPTIONS = (
    Variant(
        tag="decoder-no-mask",
        description="Self-attention without the causal mask",
        message="In your block every token of the target sees the whole target, including what "
        "comes later. In training it would read there what it should predict, and learn nothing. "
        "An argument of `self_attn` can hide it.",
        edits={MASK: "attn_mask=None"},
    ),
    Variant(
        tag="decoder-mask-inverted",
        description="Hands causal_mask (True = may attend) to attn_mask (True = hidden)",
        message="In your block each token sees only what comes *after* it, and the last one sees "
        "nothing and becomes nan. torch reads a mask the other way round from the masks that you "
        "write. What does True mean in `attn_mask`, and what does it mean in what you hand over?",
        edits={"triu(1)": "tril()"},
    ),
    Variant(
        tag="decoder-mask-inverted-without-nan",
        description="The same mask, and the nan of the last token is made zero",
        message="In your block each token sees only what comes *after* it. The last one sees "
        "nothing at all: what became nan there was made zero, which hid the cause. torch reads a "
        "mask the other way round from the masks that you write. What does True mean in "
        "`attn_mask`?",
        edits={
            "triu(1)": "tril()",
            "attended = self.dropout(attended)": "attended = self.dropout(attended.nan_to_num())",
        },
    ),
    Variant(
        tag="decoder-mask-inverted-without-weights",
        description="The same mask with need_weights=False, where torch may return 0 for nan",
        message="In your block each token sees only what comes *after* it, and the last one sees "
        "nothing at all. torch reads a mask the other way round from the masks that you write. "
        "What does True mean in `attn_mask`, and what does it mean in what you hand over?",
        edits={"triu(1)": "tril()", MASK: f"{MASK}, need_weights=False"},
    ),
    Variant(
        tag="decoder-mask-inverted-and-added",
        description="Adds a large negative number where tokens may look, not where they mayn't",
        message="In your block each token sees only what comes *after* it, and the last one, for "
        "which all scores are equally low, sees all alike. A number far below zero hides where it "
        "is added. On which side of the diagonal are yours?",
        edits={"triu(1).bool()": "tril() * -1e9"},
    ),
    Variant(
        tag="decoder-mask-strict",
        description="The mask hides the diagonal too: no token sees itself",
        message="In your block no token sees itself, so the first one has nothing to look at and "
        "becomes nan. A token that is read has already been written. Look at the diagonal of the "
        "mask.",
        edits={"triu(1)": "triu()"},
    ),
    Variant(
        tag="decoder-mask-strict-without-weights",
        description="The same mask with need_weights=False, where torch may return 0 for nan",
        message="In your block no token sees itself, so the first one has nothing to look at. A "
        "token that is read has already been written. Look at the diagonal of the mask.",
        edits={"triu(1)": "triu()", MASK: f"{MASK}, need_weights=False"},
    ),
    Variant(
        tag="decoder-mask-strict-and-added",
        description="Adds a large negative number on the diagonal, too: the first token sees all",
        message="In your block no token sees itself. The first one has nothing left to look at, so "
        "all its scores are equally low, and it sees every token alike, later ones too. A token "
        "that is read has already been written. Look at the diagonal of the mask.",
        edits={"triu(1).bool()": "triu() * -1e9"},
    ),
    Variant(
        tag="decoder-mask-one-too-far",
        description="The mask lets the next token through",
        message="In your block each token sees one token too many: the very one that it should "
        "predict. Where does your mask begin to hide?",
        edits={"triu(1)": "triu(2)"},
    ),
    Variant(
        tag="decoder-mask-of-ones",
        description="A float mask of zeros and ones, which is added to the scores",
        message="`attn_mask` hides where it is True, if it is boolean; numbers are *added* to the "
        "scores. Yours are so small that what should be hidden only becomes a little less likely, "
        "so every token still sees the later ones. What type is your mask?",
        edits={"triu(1).bool()": "tril()"},
    ),
    Variant(
        tag="decoder-mask-of-ones-ahead",
        description="A float mask with ones where later tokens are, which is added to the scores",
        message="`attn_mask` hides where it is True, if it is boolean; numbers are *added* to the "
        "scores. Later tokens get 1 more in yours, so they count more instead of nothing. What "
        "type is your mask?",
        edits={"triu(1).bool()": "triu(1)"},
    ),
    *(
        Variant(
            tag=f"decoder-hidden-by-minus-{number}",
            description=f"A float mask with -{number} where later tokens are",
            message=f"Your mask takes {number} off the scores of later tokens. Where scores are "
            "of some hundreds, these still count. Which number added leaves nothing of any score?",
            edits={"triu(1).bool()": f"triu(1) * -{number}.0"},
        )
        for number in (10, 20, 30, 50, 100)
    ),
    Variant(
        tag="decoder-mask-of-the-wrong-sign",
        description="A float mask with large positive numbers where later tokens are",
        message="In your block tokens look at what comes *after* them and at nothing else: the "
        "numbers of a float mask are added to the scores, and a large one draws all attention. "
        "Which sign hides?",
        edits={"triu(1).bool()": "triu(1) * 1e9"},
    ),
    Variant(
        tag="decoder-mask-for-the-memory",
        description="Applies a causal mask to cross-attention as well",
        message="In your block, token i of the target sees only the first tokens of the source. "
        "But the source is known to its end before the first word is written. Only the other "
        "attention has something to hide.",
        edits={
            "key_padding_mask=padding)": "key_padding_mask=padding,\n            "
            "attn_mask=torch.ones(y.shape[1], memory.shape[1]).triu(1).bool())"
        },
    ),
    Variant(
        tag="decoder-mask-for-the-memory-without-weights",
        description="The same with need_weights=False, where torch may return 0 for nan",
        message="In your block, token i of the target sees only the first tokens of the source. "
        "But the source is known to its end before the first word is written. Only the other "
        "attention has something to hide.",
        edits={
            "key_padding_mask=padding)": "key_padding_mask=padding,\n            "
            "attn_mask=torch.ones(y.shape[1], memory.shape[1]).triu(1).bool(),\n            "
            "need_weights=False)"
        },
    ),
    Variant(
        tag="decoder-padding-ignored",
        description="Doesn't pass memory_key_padding_mask on",
        message="Your block takes a `memory_key_padding_mask`, but the target still looks at the "
        "padding of the source: the mask has no effect. Which argument of torch's attention is the "
        "mask for?",
        edits={", key_padding_mask=padding)": ")"},
    ),
    Variant(
        tag="decoder-padding-of-all-sentences",
        description="Hides a token of the memory only where it is padding in every sentence",
        message="You hide a token of the memory only if it is padding in *every* sentence of the "
        "batch. Sentences have lengths of their own: each has its own row of the mask. What do you "
        "do with the axis of the batch?",
        edits={
            "padding = memory_key_padding_mask": (
                "padding = memory_key_padding_mask\n"
                "        if padding is not None:\n"
                "            padding = padding.all(0).expand_as(padding)"
            )
        },
    ),
    Variant(
        tag="decoder-padding-counted",
        description="Hides what stands behind as many tokens as are real",
        message="You count the tokens of each source that are real, and hide whatever comes after "
        "so many. With padding at the end that is the same. The mask itself says more: each True "
        "hides one token, wherever it stands. Does anything have to be counted?",
        edits={
            "padding = memory_key_padding_mask": (
                "padding = memory_key_padding_mask\n"
                "        if padding is not None:\n"
                "            real = (~padding).sum(1, keepdim=True)\n"
                "            padding = torch.arange(memory.shape[1]) >= real"
            )
        },
    ),
    Variant(
        tag="decoder-padding-inverted",
        description="Inverts memory_key_padding_mask: attends to the padding alone",
        message="In your block the target looks at the padding of the source and at nothing else. "
        "This mask follows torch's convention, not ours: True means *ignore this token*. torch's "
        "attention takes it as it is.",
        edits={
            "padding = memory_key_padding_mask": "padding = memory_key_padding_mask\n"
            "        padding = None if padding is None else ~padding"
        },
    ),
    Variant(
        tag="decoder-padding-inverted-without-weights",
        description="The same with need_weights=False, where torch may return 0 for nan",
        message="In your block the target looks at the padding of the source and at nothing else. "
        "This mask follows torch's convention, not ours: True means *ignore this token*. torch's "
        "attention takes it as it is.",
        edits={
            ASK: "self.multihead_attn(p, memory, memory, key_padding_mask=padding,\n"
            "            need_weights=False)",
            "padding = memory_key_padding_mask": "padding = memory_key_padding_mask\n"
            "        padding = None if padding is None else ~padding",
        },
    ),
    Variant(
        tag="decoder-padding-in-self-attention",
        description="Hands memory_key_padding_mask to self-attention too",
        message="`memory_key_padding_mask` reaches your self-attention, whose keys are the "
        "target's tokens. The mask is about the source: it has an entry for each of the source's "
        "tokens.",
        edits={MASK: "attn_mask=hidden,\n            key_padding_mask=memory_key_padding_mask"},
    ),
    Variant(
        tag="decoder-padding-in-self-attention-alone",
        description="Hands memory_key_padding_mask to self-attention, and not to cross-attention",
        message="`memory_key_padding_mask` reaches your self-attention, whose keys are the "
        "target's tokens, and never the attention that looks at the memory. It has an entry for "
        "each of the *source's* tokens. Whose keys are those?",
        edits={
            MASK: "attn_mask=hidden,\n            key_padding_mask=memory_key_padding_mask",
            ", key_padding_mask=padding)": ")",
        },
    ),
    Variant(
        tag="decoder-padding-in-self-attention-where-it-fits",
        description="Hands memory_key_padding_mask to self-attention where t equals s",
        message="Where source and target have equally many tokens, `memory_key_padding_mask` "
        "reaches your self-attention too, and hides tokens of the target. The mask is about the "
        "source, however long the target is.",
        edits={
            MASK: "attn_mask=hidden,\n            key_padding_mask=memory_key_padding_mask if "
            "memory.shape[1] == x.shape[1] else None"
        },
    ),
    Variant(
        tag="decoder-is-causal-alone",
        description="is_causal=True without a mask: no more than a hint, which torch refuses",
        message="You tell torch's attention that a mask is causal, but hand it no mask: "
        "`is_causal` is a hint about `attn_mask` and hides nothing by itself. In train mode torch "
        "breaks off for want of the mask. What should go beside the hint?",
        edits={MASK: "is_causal=True"},
    ),
    Variant(
        tag="decoder-mask-as-long-as-the-memory",
        description="Makes the causal mask as long as the memory: it breaks off where t isn't s",
        message="Where source and target are equally long your block works, and elsewhere it "
        "breaks off: the causal mask has as many rows and columns as the *memory* has tokens. It "
        "goes into the attention in which the target looks at itself. Whose length does that mask "
        "need?",
        edits={
            "torch.ones(x.shape[1], x.shape[1])": "torch.ones(memory.shape[1], memory.shape[1])"
        },
    ),
    Variant(
        tag="decoder-mask-too-short",
        description="A causal mask of a fixed size, of which each call takes a piece",
        message="A target of a few tokens gets through your block, and at one of several hundred "
        "it breaks off: something in it is only so large. The block has no `max_len`, and a target "
        "may have any length. What do you make once, and how large? A mask, perhaps?",
        edits={
            "torch.ones(x.shape[1], x.shape[1]).triu(1).bool()": "torch.ones(50, 50).triu(1)"
            ".bool()[: x.shape[1], : x.shape[1]]"
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
Two target tokens, (0, 2) and (10, 0). Only self-attention speaks: it compares nothing, so it
returns the mean of the tokens that may be seen. Of two features, layer norm keeps no more than
which is larger: the smaller becomes −1, the larger 1.

The first token may see itself alone, since what comes later isn't written yet. It gets (0, 2), and
the sum 0 + 0 = 0 and 2 + 2 = 4 becomes (−1, 1).

The second may see both. Their mean is (5, 1), since (0 + 10)/2 = 5 and (2 + 0)/2 = 1. The sum
10 + 5 = 15 and 0 + 1 = 1 becomes (1, −1).

Had the first token seen the second, it would have got (5, 1) as well, and turned to (1, −1). What
does the first row of yours say it has seen?""",
        SILENT
        + """\
block.self_attn.in_proj_weight.data[4:] = torch.eye(2)
block.self_attn.out_proj.weight.data = torch.eye(2)
block(torch.tensor([[[0.0, 2.0], [10.0, 0.0]]]), torch.zeros(1, 3, 2))""",
        [[[-1.0, 1.0], [1.0, -1.0]]],
    ),
    WorkedExample(
        """
One target token, (1, 5), and two memory tokens, (6, 0) and (0, 90), of which the second is
padding: `memory_key_padding_mask` is True there, which in PyTorch means "hide this". Only the
second attention speaks: it compares nothing, and returns the mean of what may be seen.

The norm makes (−1, 1) of the token, since of two features it keeps which is larger.

The second attention sees (6, 0) alone, so the sum is −1 + 6 = 5 and 1 + 0 = 1, which becomes
(1, −1).

Had it seen the padding too, the mean would have been (3, 45): (6 + 0)/2 = 3 and (0 + 90)/2 = 45.
The padding alone would have given (0, 90). Both end as (−1, 1). To which of the two attentions
does this mask belong, and does it arrive there as it is?""",
        SILENT
        + """\
block.multihead_attn.in_proj_weight.data[4:] = torch.eye(2)
block.multihead_attn.out_proj.weight.data = torch.eye(2)
memory, padding = torch.tensor([[[6.0, 0.0], [0.0, 90.0]]]), torch.tensor([[False, True]])
block(torch.tensor([[[1.0, 5.0]]]), memory, memory_key_padding_mask=padding)""",
        [[[1.0, -1.0]]],
    ),
)
