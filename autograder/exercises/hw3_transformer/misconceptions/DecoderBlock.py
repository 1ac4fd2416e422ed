"""What learners get wrong in DecoderBlock."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.misconceptions import Variant

REFERENCE = """\
class DecoderBlock(nn.Module):
    def __init__(self, d_model=128, n_heads=8, d_ff=512, dropout=0.1):
        super().__init__()
        self.self_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.multihead_attn = nn.MultiheadAttention(d_model, n_heads, dropout, batch_first=True)
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)
        self.norm1 = nn.LayerNorm(d_model)
        self.norm2 = nn.LayerNorm(d_model)
        self.norm3 = nn.LayerNorm(d_model)
        self.dropout = nn.Dropout(dropout)

    def forward(self, x, memory, memory_key_padding_mask=None):
        hidden = torch.ones(x.shape[1], x.shape[1]).triu(1).bool()
        attended, _ = self.self_attn(x, x, x, attn_mask=hidden)
        attended = self.dropout(attended)
        total = x + attended
        y = self.norm1(total)
        padding = memory_key_padding_mask
        found, _ = self.multihead_attn(y, memory, memory, key_padding_mask=padding)
        found = self.dropout(found)
        total = y + found
        z = self.norm2(total)
        inner = F.relu(self.linear1(z))
        transformed = self.linear2(inner)
        transformed = self.dropout(transformed)
        total = z + transformed
        result = self.norm3(total)
        return result
"""

_ASK = "self.multihead_attn(y, memory, memory, key_padding_mask=padding)"
_MASKED = "self.self_attn(x, x, x, attn_mask=hidden)"

WRONG_MASK = (
    Variant(
        tag="decoder-no-mask",
        description="Self-attention without the causal mask",
        message="In your block every token of the target sees the whole target, also what comes "
        "later. In training it would read there what it should predict, and learn nothing. Which "
        "argument of `self_attn` hides something?",
        edits={_MASKED: "self.self_attn(x, x, x)"},
    ),
    Variant(
        tag="decoder-mask-inverted",
        description="Hands causal_mask (True = may attend) to attn_mask (True = hidden)",
        message="In your block each token sees only what comes *after* it, and the last one sees "
        "nothing and becomes nan. Your mask is right, but torch reads it the other way round. What "
        "does True mean in `attn_mask`?",
        edits={"triu(1)": "tril()"},
    ),
    Variant(
        tag="decoder-mask-strict",
        description="The mask hides the diagonal too: no token sees itself",
        message="In your block no token sees itself, so the first one has nothing to look at and "
        "becomes nan. A token that is read is already written. Does the diagonal belong to what is "
        "hidden?",
        edits={"triu(1)": "triu()"},
    ),
    Variant(
        tag="decoder-mask-one-too-far",
        description="The mask lets the next token through",
        message="In your block each token sees one token too many: the very one that it should "
        "predict. Where does your mask begin to hide?",
        edits={"triu(1)": "triu(2)"},
    ),
    Variant(
        tag="decoder-mask-for-the-memory",
        description="Applies a causal mask to cross-attention as well",
        message="In your block, token i of the target sees only the first tokens of the source. "
        "But the source is known to its end before the first word is written. Which of the two "
        "attentions has something to hide?",
        edits={
            "key_padding_mask=padding)": "key_padding_mask=padding,\n            "
            "attn_mask=torch.ones(y.shape[1], memory.shape[1]).triu(1).bool())"
        },
    ),
    Variant(
        tag="decoder-padding-ignored",
        description="Doesn't pass memory_key_padding_mask on",
        message="Your block takes a `memory_key_padding_mask`, but the target still looks at the "
        "padding of the source: the mask never reaches those who decide what is looked at. Which "
        "of the block's parts has an argument for it?",
        edits={", key_padding_mask=padding)": ")"},
    ),
    Variant(
        tag="decoder-padding-inverted",
        description="Inverts memory_key_padding_mask: attends to the padding alone",
        message="In your block the target looks at the padding of the source and at nothing else. "
        "This mask is torch's, not yours: here True means *ignore this token*. What does torch's "
        "attention expect, and what do you hand over?",
        edits={
            "padding = memory_key_padding_mask": "padding = memory_key_padding_mask\n"
            "        padding = None if padding is None else ~padding"
        },
    ),
    Variant(
        tag="decoder-padding-in-self-attention",
        description="Hands memory_key_padding_mask to self-attention too",
        message="You hand `memory_key_padding_mask` to self-attention, where the keys are the "
        "target's tokens. It speaks of the source's, and there are as many entries in it as the "
        "source has tokens. Whose keys does it belong to?",
        edits={
            _MASKED: "self.self_attn(x, x, x, attn_mask=hidden,\n"
            "            key_padding_mask=memory_key_padding_mask)"
        },
    ),
)

WRONG_CROSS = (
    Variant(
        tag="decoder-no-cross-attention",
        description="The second attention looks at the target again; memory isn't used",
        message="Both attentions of your block look at the target, so it never learns what the "
        "source says. In the picture an arrow comes in from the side. Which arguments of "
        "`multihead_attn` does it lead to?",
        edits={_ASK: "self.multihead_attn(y, y, y)"},
    ),
    Variant(
        tag="decoder-cross-attention-skipped",
        description="Leaves the whole middle sublayer out",
        message="Your block goes from self-attention straight to the feed-forward network: "
        "`multihead_attn` and norm2 are made but never called. An encoder has two sublayers; how "
        "many has a decoder, and what is the one in the middle for?",
        source=REFERENCE.replace("z = self.norm2(total)", "z = y"),
    ),
    Variant(
        tag="decoder-memory-asks",
        description="Swaps query and memory in cross-attention",
        message="In your cross-attention the source asks and the target answers, so a vector comes "
        "out for each token of the *source*, which can't be added to those of the target. Who "
        "needs to know something here?",
        edits={_ASK: "self.multihead_attn(memory, y, y)"},
    ),
    Variant(
        tag="decoder-values-from-the-target",
        description="Keys from the memory, but values from the target",
        message="Your keys and your values come from different places: what is compared is one "
        "text, what is fetched another. A key says what its value is about. Where do both come "
        "from?",
        edits={_ASK: "self.multihead_attn(y, memory, y)"},
    ),
    Variant(
        tag="decoder-query-is-the-input",
        description="Cross-attention asks with the block's input, not with what norm1 returned",
        message="Your cross-attention asks with the input of the block, so self-attention has been "
        "in vain for it. In the picture, which box does the arrow of the queries come from?",
        edits={_ASK: "self.multihead_attn(x, memory, memory, key_padding_mask=padding)"},
    ),
    Variant(
        tag="decoder-one-attention-twice",
        description="Calls self_attn for cross-attention as well",
        message="You call `self_attn` twice and `multihead_attn` never. The two have weights of "
        "their own, because to look back and to look across are different things to learn. Which "
        "one belongs to the memory?",
        edits={_ASK: "self.self_attn(y, memory, memory, key_padding_mask=padding)"},
    ),
    Variant(
        tag="decoder-cross-attention-first",
        description="Cross-attention before self-attention",
        message="Your block looks at the memory first and at the target afterwards. Then it asks "
        "before it knows what has been written. In which order does the picture stack the two?",
        source=REFERENCE.replace(
            f"attended, _ = {_MASKED}",
            "attended, _ = self.multihead_attn(x, memory, memory,\n"
            "            key_padding_mask=memory_key_padding_mask)",
        ).replace(f"found, _ = {_ASK}", "found, _ = self.self_attn(y, y, y, attn_mask=hidden)"),
    ),
)

WRONG_RESIDUAL = (
    Variant(
        tag="decoder-no-residual-around-self-attention",
        description="No residual around self-attention",
        message="Nothing leads past self-attention in your block: a token's own vector is lost "
        "once it has looked at the others. In the picture an arrow runs around each sublayer. What "
        "is it added to, and when?",
        edits={"x + attended": "attended"},
    ),
    Variant(
        tag="decoder-no-residual-around-cross-attention",
        description="No residual around cross-attention",
        message="Nothing leads past cross-attention in your block, so what the target said is "
        "replaced by what the source says. In the picture an arrow runs around this sublayer too. "
        "Where does it begin?",
        edits={"y + found": "found"},
    ),
    Variant(
        tag="decoder-no-residual-around-feed-forward",
        description="No residual around the feed-forward network",
        message="Nothing leads past the feed-forward network in your block, so what both "
        "attentions have found survives only if linear2 rebuilds it. In the picture an arrow runs "
        "around this sublayer as well. Where does it begin?",
        edits={"z + transformed": "transformed"},
    ),
    Variant(
        tag="decoder-second-residual-from-x",
        description="The second residual is the block's input, not what norm1 returned",
        message="Your second residual starts at the input of the block, so what self-attention "
        "added is skipped. Each residual leads around one sublayer. Which tensor goes into the "
        "second one?",
        edits={"y + found": "x + found"},
    ),
    Variant(
        tag="decoder-third-residual-from-norm1",
        description="The third residual is what norm1 returned, so cross-attention is skipped",
        message="Your third residual leads around cross-attention as well, so what the source said "
        "reaches the end through the network alone. Each residual leads around one sublayer. Which "
        "tensor goes into the third one?",
        edits={"z + transformed": "y + transformed"},
    ),
    Variant(
        tag="decoder-third-residual-from-x",
        description="The third residual is the block's input",
        message="Your third residual starts at the input of the block, so what both attentions "
        "added is skipped. Each residual leads around one sublayer. Which tensor goes into the "
        "third one?",
        edits={"z + transformed": "x + transformed"},
    ),
    Variant(
        tag="decoder-residual-from-the-memory",
        description="Adds the memory instead of the target around cross-attention",
        message="Around cross-attention you add the memory, which has as many tokens as the "
        "*source*. A residual carries on the stream that the block is about. Which of the two "
        "texts is being written?",
        edits={"y + found": "memory + found"},
    ),
)

WRONG_NORM = (
    Variant(
        tag="decoder-pre-norm",
        description="Pre-norm: normalises before each sublayer instead of after each sum",
        message="Your norms stand before the sublayers, which is called pre-norm; many later "
        "models do that. The paper's block normalises elsewhere, and then the same weights mean "
        "something else. In the picture, which box follows each sum?",
        source=REFERENCE.replace(
            "        attended, _", "        n = self.norm1(x)\n        attended, _"
        )
        .replace("x, x, x", "n, n, n")
        .replace("y = self.norm1(total)", "y = total\n        n = self.norm2(y)")
        .replace("multihead_attn(y, memory", "multihead_attn(n, memory")
        .replace("self.norm2(total)", "total")
        .replace("self.linear1(z)", "self.linear1(self.norm3(z))")
        .replace("self.norm3(total)", "total"),
    ),
    Variant(
        tag="decoder-one-norm-for-all",
        description="Uses norm1 in all three places",
        message="You call norm1 three times and the other two never. Fresh norms are all alike, so "
        "at first nobody can tell; once trained, each has a scale and a shift of its own. Which "
        "ones belong around the other sublayers?",
        source=REFERENCE.replace("self.norm2(total)", "self.norm1(total)").replace(
            "self.norm3(total)", "self.norm1(total)"
        ),
    ),
    Variant(
        tag="decoder-norm2-twice",
        description="Uses norm2 for the feed-forward network as well; norm3 is idle",
        message="You call norm2 twice and norm3 never, as if this were still the encoder. Fresh "
        "norms are all alike, so at first nobody can tell. Which one belongs around the "
        "feed-forward network?",
        edits={"self.norm3(total)": "self.norm2(total)"},
    ),
    Variant(
        tag="decoder-norm1-twice",
        description="Uses norm1 around cross-attention as well",
        message="You call norm1 around both attentions and norm2 never. Fresh norms are all alike, "
        "so at first nobody can tell; once trained, each has numbers of its own. Which one belongs "
        "around cross-attention?",
        edits={"self.norm2(total)": "self.norm1(total)"},
    ),
    Variant(
        tag="decoder-norms-swapped",
        description="Swaps norm2 and norm3",
        message="Your norm2 and norm3 have changed places. Fresh norms are all alike, so at first "
        "nobody can tell. In which order does the picture number them, from below?",
        source=REFERENCE.replace("self.norm2(total)", "self.norm0(total)")
        .replace("self.norm3(total)", "self.norm2(total)")
        .replace("self.norm0(total)", "self.norm3(total)"),
    ),
    Variant(
        tag="decoder-first-norm-missing",
        description="Doesn't apply norm1",
        message="After self-attention and its residual, your block goes straight on: norm1 is made "
        "but never called. Follow the formula for one sublayer from the inside out. What is the "
        "last step?",
        edits={"self.norm1(total)": "total"},
    ),
    Variant(
        tag="decoder-second-norm-missing",
        description="Doesn't apply norm2",
        message="After cross-attention and its residual, your block goes straight on: norm2 is "
        "made but never called. Follow the formula for one sublayer from the inside out. What is "
        "the last step?",
        edits={"self.norm2(total)": "total"},
    ),
    Variant(
        tag="decoder-third-norm-missing",
        description="Doesn't apply norm3",
        message="Your block ends with a sum: norm3 is made but never called, so the next block "
        "gets larger and larger numbers. Follow the formula for one sublayer from the inside out. "
        "What is the last step?",
        edits={"self.norm3(total)": "total"},
    ),
)

WRONG_PARTS = (
    Variant(
        tag="decoder-batch-first-forgotten",
        description="Makes both attentions without batch_first=True",
        message="torch's attention takes the first axis for the sequence unless told otherwise, so "
        "yours lets the first token of each *sequence* look at those of the others, and the mask "
        "doesn't even fit. Which argument tells it where the batch is?",
        edits={", batch_first=True": ""},
    ),
    Variant(
        tag="decoder-no-relu",
        description="No ReLU between linear1 and linear2",
        message="Between linear1 and linear2 of your block nothing happens, so the two are as good "
        "as a single layer. What stood between them in your encoder?",
        edits={"F.relu(self.linear1(z))": "self.linear1(z)"},
    ),
    Variant(
        tag="decoder-gelu",
        description="GELU instead of ReLU",
        message="Between linear1 and linear2 of your block stands GELU, as in many later models. "
        "Small negative features get through it. What did your encoder do with them?",
        edits={"F.relu(self.linear1(z))": "F.gelu(self.linear1(z))"},
    ),
    Variant(
        tag="decoder-feed-forward-reads-norm1",
        description="The feed-forward network reads what norm1 returned",
        message="Your feed-forward network reads what self-attention made, so it knows nothing of "
        "what cross-attention found. In the picture, which box does its arrow come from?",
        edits={"self.linear1(z)": "self.linear1(y)"},
    ),
    Variant(
        tag="decoder-dropout-in-eval-mode",
        description="Drops out in eval mode as well",
        message="In eval mode, two runs on the same input differ. Dropout is an exercise for "
        "training; whoever uses the model wants all of it. `nn.Dropout` knows the mode, "
        "`F.dropout` only if it is told: which argument tells it?",
        source=REFERENCE.replace("self.dropout(attended)", "F.dropout(attended, 0.1)")
        .replace("self.dropout(found)", "F.dropout(found, 0.1)")
        .replace("self.dropout(transformed)", "F.dropout(transformed, 0.1)"),
    ),
    Variant(
        tag="decoder-no-dropout",
        description="What the sublayers return doesn't drop out",
        message="In train mode, what your sublayers return goes into the sums as it is. (The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place.) Where "
        "does the formula for a sublayer put Dropout?",
        source=REFERENCE.replace("        attended = self.dropout(attended)\n", "")
        .replace("        found = self.dropout(found)\n", "")
        .replace("        transformed = self.dropout(transformed)\n", ""),
    ),
    Variant(
        tag="decoder-dropout-rate-fixed",
        description="Doesn't use the argument dropout for nn.Dropout",
        message="Your block drops out even with `dropout=0.0`: it has a rate of its own. Whoever "
        "makes the block wants to choose. Where is a number written that should be a name?",
        source=REFERENCE.replace("nn.Dropout(dropout)", "nn.Dropout(0.1)"),
    ),
    Variant(
        tag="decoder-pair-not-unpacked",
        description="Goes on with the pair that an attention returns",
        message="`nn.MultiheadAttention` returns two things, and you go on with both at once: a "
        "tuple can't be dropped out or added to x. What are the two, and which one do you need?",
        source=REFERENCE.replace("attended, _ =", "attended ="),
    ),
    Variant(
        tag="decoder-nothing-returned",
        description="Computes, but returns nothing",
        message="Your forward returns None, though it computes something. A function hands back "
        "what follows `return`, on every way through it: is yours there, and outside any `if`?",
        source=REFERENCE.replace("return result", "result"),
    ),
    Variant(
        tag="decoder-other-names",
        description="Has no attribute multihead_attn: names of its own, or never made",
        message="Your block has no attribute `multihead_attn`, so we can't set its weights, and "
        "nothing else could be tested. Capitals and underscores count. How do the names in your "
        "`__init__` differ from those in the exercise?",
        source=REFERENCE.replace("self.multihead_attn", "self.cross_attn"),
    ),
)

MISCONCEPTIONS = (
    *WRONG_MASK,
    *WRONG_CROSS,
    *WRONG_RESIDUAL,
    *WRONG_NORM,
    *WRONG_PARTS,
)
