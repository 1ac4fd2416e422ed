"""What learners get wrong in Transformer: sight."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-no-mask",
        description="The decoder gets no causal mask",
        message="Your decoder sees the whole target at every position, also what it is to predict. "
        "Its loss will fall to nothing in training, and it won't be able to write a word. Who "
        "hides the tokens that come later?",
        edits={", tgt_mask=hidden": ""},
    ),
    Variant(
        tag="transformer-mask-inverted",
        description="Hands a mask with True = may attend to torch's layers",
        message="Each position of your decoder sees only what comes *after* it, and the last one "
        "sees nothing and becomes nan. The masks of torch's layers mean the opposite of yours. "
        "What does True say to them?",
        edits={"triu(1)": "tril()"},
    ),
    Variant(
        tag="transformer-mask-strict",
        description="The mask hides the diagonal too: no token sees itself",
        message="In your decoder no token sees itself, so the first one has nothing to look at and "
        "becomes nan. The token that is read is already written. Does the diagonal belong to what "
        "is hidden?",
        edits={"triu(1)": "triu()"},
    ),
    Variant(
        tag="transformer-mask-in-the-first-layer-only",
        description="Only the first decoder layer gets the causal mask",
        message="The first layer of your decoder is causal, the next ones aren't, and one leak is "
        "enough: what a layer mixes in from later tokens reaches the logits. Which layers need the "
        "mask?",
        edits={
            "y = layer(y, memory, tgt_mask=hidden)": "y = layer(y, memory, tgt_mask=hidden)\n"
            "            hidden = None"
        },
    ),
    Variant(
        tag="transformer-source-ignored",
        description="The decoder never sees what the encoder found",
        message="Whatever the source says, your logits stay the same: what the encoder found "
        "doesn't arrive in the decoder. What is the `memory` that your decoder layers look at?",
        edits={"memory = x": "memory = torch.zeros_like(x)"},
    ),
    Variant(
        tag="transformer-encoder-skipped",
        description="The decoder looks at the embedded source; the encoder isn't applied",
        message="Your decoder looks at the embeddings of the source as they are: the encoder is "
        "made, and never gets anything to read. What goes through its layers, and what becomes of "
        "the result?",
        edits={"x = layer(x)": "layer(x)"},
    ),
    Variant(
        tag="transformer-target-shifted",
        description="Shifts the target to the right inside forward",
        message="Your model shifts the target before reading it, so position i doesn't know the "
        "token i yet. To feed the target without its last token is the business of whoever calls "
        "the model. What should the logits at position i follow?",
        edits={"self.tgt_embedding(tgt)": "self.tgt_embedding(F.pad(tgt, (1, 0))[:, :-1])"},
    ),
    Variant(
        tag="transformer-arguments-swapped",
        description="forward(tgt, src): takes the target for the source",
        message="Your forward takes its two arguments the other way round: it is called as "
        "`model(src, tgt)`, source first. Which of them decides how many positions get logits?",
        edits={"def forward(self, src, tgt)": "def forward(self, tgt, src)"},
    ),
)
