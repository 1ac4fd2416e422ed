"""What learners get wrong in Transformer: sight."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-no-mask",
        description="The decoder gets no causal mask",
        message="At every position your decoder sees the whole target, including what it should "
        "predict. In training its loss will fall to almost nothing, and then it won't be able to "
        "write a word. Nothing hides the tokens that come later.",
        edits={", tgt_mask=hidden": ""},
    ),
    Variant(
        tag="transformer-mask-inverted",
        description="Hands a mask with True = may attend to torch's layers",
        message="Each position of your decoder sees only what comes *after* it, and the last one "
        "sees nothing and becomes nan. In the masks of torch's layers, True means the opposite of "
        "what it means in the masks that you write.",
        edits={"triu(1)": "tril()"},
    ),
    Variant(
        tag="transformer-mask-strict",
        description="The mask hides the diagonal too: no token sees itself",
        message="In your decoder no token sees itself, so the first one has nothing to look at and "
        "becomes nan. A token that is read has already been written. Look at the diagonal of the "
        "mask.",
        edits={"triu(1)": "triu()"},
    ),
    Variant(
        tag="transformer-mask-in-the-first-layer-only",
        description="Only the first decoder layer gets the causal mask",
        message="The first layer of your decoder is causal, the next ones aren't, and one leak is "
        "enough: whatever a layer mixes in from later tokens reaches the logits.",
        edits={
            "y = layer(y, memory, tgt_mask=hidden)": "y = layer(y, memory, tgt_mask=hidden)\n"
            "            hidden = None"
        },
    ),
    Variant(
        tag="transformer-source-ignored",
        description="The decoder never sees what the encoder found",
        message="Whatever the source says, your logits stay the same: nothing of it reaches the "
        "decoder. In figure 1 an arrow leads from the encoder into every layer of the decoder. "
        "What do your decoder's layers look at?",
        edits={"memory = x": "memory = torch.zeros_like(x)"},
    ),
    Variant(
        tag="transformer-encoder-skipped",
        description="The decoder looks at the embedded source; the encoder isn't applied",
        message="Your decoder looks at the embeddings of the source as they are: what the encoder "
        "does has no effect. What goes through its layers, and what becomes of the result?",
        edits={"x = layer(x)": "layer(x)"},
    ),
    Variant(
        tag="transformer-target-shifted",
        description="Shifts the target to the right inside forward",
        message="Your model shifts the target before reading it, so position i doesn't know token "
        "i yet. Feeding the target without its last token is the caller's business. The logits at "
        "position i follow token i.",
        edits={"self.tgt_embedding(tgt)": "self.tgt_embedding(F.pad(tgt, (1, 0))[:, :-1])"},
    ),
    Variant(
        tag="transformer-arguments-swapped",
        description="forward(tgt, src): takes the target for the source",
        message="Your `forward` takes its two arguments the other way round: it is called as "
        "`model(src, tgt)`, source first.",
        edits={"def forward(self, src, tgt)": "def forward(self, tgt, src)"},
    ),
    Variant(
        tag="transformer-peeks-ahead",
        description="Some logits depend on later tokens: a mask that lets one too many through",
        message="Some logits of your model move when a *later* token of the target changes. In "
        "training it would find there what it should predict: its loss would fall fast, and then "
        "it couldn't write. Through which layer does the future leak, and what should hide it "
        "there?",
        edits={"triu(1)": "triu(2)"},
    ),
    Variant(
        tag="transformer-own-token-unread",
        description="Position i doesn't read token i",
        message="The logits at a position stay as they were when the token at that very position "
        "changes. Position i reads token i and says what follows it; leaving the last token out is "
        "the caller's business. Which token does your position i read?",
        edits={"self.tgt_embedding(tgt)": "self.tgt_embedding(tgt.roll(1, dims=1))"},
    ),
    Variant(
        tag="transformer-earlier-tokens-unseen",
        description="Some position doesn't see all that was written before it",
        message="When a token of the target changes, some logits after it don't move. A writer "
        "knows all the words so far, not just the last. Which earlier tokens may a position of "
        "yours look at?",
        edits={
            "torch.ones(tgt.shape[1], tgt.shape[1]).triu(1).bool()": "~torch.eye("
            "tgt.shape[1], dtype=torch.bool)"
        },
    ),
    Variant(
        tag="transformer-source-seen-in-part",
        description="Some position of the target doesn't see some token of the source",
        message="When a token of the source changes, some logits don't move: some position of the "
        "target never learns of it. The source is known from its first word to its last before "
        "the first word is written. What hides a part of it, or leaves it out?",
        edits={
            "x = x + self.positions[: src.shape[1]]": "x = (x + "
            "self.positions[: src.shape[1]])[:, :2]"
        },
    ),
    Variant(
        tag="transformer-token-never-seen",
        description="A token number of the source is masked as padding",
        message="To your model, a source that ends with a certain token is the same as the source "
        "without it, while other tokens count. There is no padding in this homework: every number "
        "stands for a word. Which number doesn't count as a word in your model?",
        edits={
            "x = layer(x)": "x = layer(x, src_key_padding_mask=src == 0)",
            "tgt_mask=hidden": "tgt_mask=hidden, memory_key_padding_mask=src == 0",
        },
    ),
    Variant(
        tag="transformer-number-of-the-source-special",
        description="A token number of the source is hidden as padding in the encoder alone",
        message="Two tokens of the source that have the same features make different logits in "
        "your model: it goes by their numbers, too, as one would to find padding. There is no "
        "padding in this homework, and a token means what its row of the table says. What in your "
        "code depends on a token's number, besides the table?",
        edits={"x = layer(x)": "x = layer(x, src_key_padding_mask=src == 0)"},
    ),
    Variant(
        tag="transformer-number-of-the-target-special",
        description="A token number of the target is hidden as padding, but not at the beginning",
        message="Two tokens of the target that have the same features make different logits in "
        "your model: it goes by their numbers, too, as one would to find padding. There is no "
        "padding in this homework, and a token means what its row of the table says. What in your "
        "code depends on a token's number, besides the table?",
        edits={
            "tgt_mask=hidden": "tgt_mask=hidden, tgt_key_padding_mask=(tgt == 0)"
            " & (torch.arange(tgt.shape[1]) > 0)"
        },
    ),
    Variant(
        tag="transformer-not-finite",
        description="nan among the logits: somewhere all scores of a row are -inf",
        message="There are nan or infinities among your logits, so they don't say what is likely. "
        "Softmax, for one, makes nan of a row in which every score is -inf. Take a short source "
        "and a short target: after which layer does the first nan appear, and what goes into that "
        "layer?",
        edits={
            "tgt_mask=hidden": "tgt_mask=hidden, memory_key_padding_mask=torch.ones("
            "src.shape, dtype=torch.bool)"
        },
    ),
    Variant(
        tag="transformer-rows-of-the-source",
        description="The decoder's layers are handed the memory first: layer(memory, y)",
        message="You return a row of logits for each token of the *source*, where each token of "
        "the target should get one. So the source is what goes on from layer to layer of your "
        "decoder, and the target is what it looks at. In which order does `forward` take the two "
        "texts, and in which order does a layer of the decoder?",
        edits={"y = layer(y, memory, tgt_mask=hidden)": "y = layer(memory, y)"},
    ),
)
