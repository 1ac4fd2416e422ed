"""What learners get wrong in DecoderBlock: cross."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import ASK, SILENT

MISCONCEPTIONS = (
    Variant(
        tag="decoder-no-cross-attention",
        description="The second attention looks at the target again; memory isn't used",
        message="Both attentions of your block look at the target, so it never learns what the "
        "source says. In the picture an arrow comes in from the side. Which arguments of "
        "`multihead_attn` does it lead to?",
        edits={ASK: "self.multihead_attn(p, p, p)"},
    ),
    Variant(
        tag="decoder-no-cross-attention-but-causal",
        description="The second attention looks at the target again, under the causal mask",
        message="Both attentions of your block look at the target, so it never learns what the "
        "source says. In the picture an arrow comes in from the side. Which arguments of "
        "`multihead_attn` does it lead to?",
        edits={ASK: "self.multihead_attn(p, p, p, attn_mask=hidden)"},
    ),
    Variant(
        tag="decoder-cross-attention-skipped",
        description="Leaves the whole middle sublayer out",
        message="Your block goes from self-attention straight to the feed-forward network: nothing "
        "of `multihead_attn` and norm2 gets into the result. An encoder block has two sublayers. A "
        "decoder block has three.",
        edits={"z = self.norm2(total)": "z = y"},
    ),
    Variant(
        tag="decoder-memory-asks",
        description="Swaps query and memory in cross-attention",
        message="In your cross-attention the source asks and the target answers, so you get a "
        "vector for each token of the *source*, and these can't be added to the vectors of the "
        "target. Here the target should ask.",
        edits={"self.multihead_attn(p, memory, memory": "self.multihead_attn(memory, p, p"},
    ),
    Variant(
        tag="decoder-arguments-exchanged",
        description="forward(memory, x): the source goes through, and the target is asked",
        message="The source goes through all of your block, and the target is only asked for keys "
        "and values. The block is called with the target first, then the memory. In which order "
        "does your `forward` name them?",
        edits={"forward(self, x, memory,": "forward(self, memory, x,"},
    ),
    Variant(
        tag="decoder-values-from-the-target",
        description="Keys from the memory, but values from the target",
        message="Your keys and your values come from different places: you compare with one text "
        "and fetch from another. A key says what its value is about. So both come from the same "
        "text.",
        edits={"self.multihead_attn(p, memory, memory": "self.multihead_attn(p, memory, p"},
    ),
    Variant(
        tag="decoder-memory-cut-to-the-target",
        description="Cross-attention sees as many tokens of the memory as the target has",
        message="Your target finds something in the first tokens of the memory alone, in as many "
        "as it has itself. A source may well be longer, and every token of it may be seen. Which "
        "of your steps makes the two equally long?",
        edits={
            ASK: "self.multihead_attn(p, memory[:, : x.shape[1]], memory[:, : x.shape[1]], "
            "key_padding_mask=None if padding is None else padding[:, : x.shape[1]])"
        },
    ),
    Variant(
        tag="decoder-cross-attention-causal-where-as-long",
        description="Hides later tokens of the memory where it is as long as the target",
        message="Where memory and target are equally long, your target doesn't see all of the "
        "memory: later tokens are hidden from it, as they are in the target itself. With other "
        "lengths it sees everything. The source is there before anything is written. What does "
        "your code decide by looking at sizes?",
        edits={
            ASK: "self.multihead_attn(p, memory, memory, key_padding_mask=padding,\n"
            "            attn_mask=hidden if x.shape == memory.shape else None)"
        },
    ),
    Variant(
        tag="decoder-query-is-the-input",
        description="Cross-attention asks with the block's input, not with what norm1 returned",
        message="Your cross-attention asks with the block's own input, so nothing that "
        "self-attention found goes into its questions. In the picture, which box does the arrow "
        "of the queries come from?",
        edits={"p = y\n": "p = x\n"},
    ),
    Variant(
        tag="decoder-one-attention-twice",
        description="Calls self_attn for cross-attention as well",
        message="Your cross-attention computes with the weights of `self_attn`; those of "
        "`multihead_attn` have no effect. Looking back and looking across are different things to "
        "learn, so each has weights of its own.",
        edits={"self.multihead_attn(p,": "self.self_attn(p,"},
    ),
    Variant(
        tag="decoder-attentions-exchanged",
        description="self_attn looks at the memory, multihead_attn at the target",
        message="Your two attentions have changed places: `multihead_attn` looks at the target, "
        "and `self_attn` at the memory. While both are new it doesn't show, but with weights "
        "that another block has learned it does. What does the table of names say of each?",
        edits={
            "self.self_attn(q": "self.other(q",
            "self.multihead_attn(p": "self.self_attn(p",
            "self.other(q": "self.multihead_attn(q",
        },
    ),
    Variant(
        tag="decoder-cross-attention-first",
        description="Cross-attention before self-attention",
        message="Your block looks at the memory first and at the target afterwards, so it asks "
        "before it knows what has been written. The picture shows in which order the two come.",
        edits={
            "self.self_attn(q, q, q, attn_mask=hidden)": "self.multihead_attn(q, memory, memory,\n"
            "            key_padding_mask=memory_key_padding_mask)",
            ASK: "self.self_attn(p, p, p, attn_mask=hidden)",
        },
    ),
    Variant(
        tag="decoder-cross-attention-first-with-its-norm",
        description="Cross-attention before self-attention, each followed by its own norm",
        message="Your block looks at the memory first and at the target afterwards, so it asks "
        "before it knows what has been written. The picture shows in which order the two come.",
        edits={
            "self.self_attn(q, q, q, attn_mask=hidden)": "self.multihead_attn(q, memory, memory,\n"
            "            key_padding_mask=memory_key_padding_mask)",
            ASK: "self.self_attn(p, p, p, attn_mask=hidden)",
            "y = self.norm1(total)": "y = self.norm2(total)",
            "z = self.norm2(total)": "z = self.norm1(total)",
        },
    ),
    Variant(
        tag="decoder-feed-forward-second",
        description="The feed-forward network stands before cross-attention; norms in their order",
        message="The second sublayer of your block is the feed-forward network, and "
        "cross-attention the third, so nothing works on what was found in the memory. In the "
        "picture, into which box does the arrow of the memory lead, counted from below?",
        edits={
            "        total = y + found\n": "",
            "        p = y\n": "        inner = F.relu(self.linear1(y))\n"
            "        transformed = self.dropout(self.linear2(inner))\n"
            "        p = z = self.norm2(y + transformed)\n",
            "        z = self.norm2(total)\n        r = z\n"
            "        inner = F.relu(self.linear1(r))\n"
            "        transformed = self.linear2(inner)\n"
            "        transformed = self.dropout(transformed)\n"
            "        total = z + transformed\n": "        total = z + found\n",
        },
    ),
)

EXAMPLES = (
    WorkedExample(
        """
One target token, (1, 5), and two memory tokens, (6, 0) and (2, 0). Only the second attention
speaks: it compares nothing, so it returns the mean of the values that it is given. Of two features,
layer norm keeps no more than which is larger: the smaller becomes −1, the larger 1.

The first norm makes (−1, 1) of (1, 5). That is what asks.

Keys and values both come from the memory, so the answer is its mean: (6 + 2)/2 = 4 and 0. It is
added to the one who asked: −1 + 4 = 3 and 1 + 0 = 1, which becomes (1, −1). One target token went
in, and one comes out.

Had the target answered itself, (−1, 1) would have stayed (−1, 1). Who asks in yours, and who
answers?""",
        SILENT
        + """\
block.multihead_attn.in_proj_weight.data[4:] = torch.eye(2)
block.multihead_attn.out_proj.weight.data = torch.eye(2)
block(torch.tensor([[[1.0, 5.0]]]), torch.tensor([[[6.0, 0.0], [2.0, 0.0]]]))""",
        [[[1.0, -1.0]]],
    ),
)
