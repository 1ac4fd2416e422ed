"""What learners get wrong in Transformer: order."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-no-positions-in-the-source",
        description="Adds no positions to the source",
        message="To your model the source is a bag of tokens: in any order it says the same. "
        "Attention by itself doesn't know where a token is. What tells your encoder?",
        edits={"        x = x + self.positions[: src.shape[1]]\n": ""},
    ),
    Variant(
        tag="transformer-no-positions-in-the-target",
        description="Adds no positions to the target",
        message="To your decoder, what has been written is a bag of tokens: when earlier ones "
        "change places, a single layer says the same. (Several causal layers leak the order, but "
        "don't rely on that.) What tells it where a token of the target is?",
        edits={"        y = y + self.positions[: tgt.shape[1]]\n": ""},
    ),
    Variant(
        tag="transformer-no-positions",
        description="Adds no positions on either side",
        message="To your model source and target are bags of tokens: in any order they say the "
        "same. (Several causal layers leak the order of the target, but don't rely on that.) "
        "Attention by itself doesn't know where a token is. What tells your encoder and decoder?",
        edits={
            "        x = x + self.positions[: src.shape[1]]\n": "",
            "        y = y + self.positions[: tgt.shape[1]]\n": "",
        },
    ),
    Variant(
        tag="transformer-one-position-for-all",
        description="Adds the same row of positions to every token",
        message="You add the same row of the table to every token, which says nothing about where "
        "a token is. The table has a row for each position.",
        edits={
            "self.positions[: src.shape[1]]": "self.positions[0]",
            "self.positions[: tgt.shape[1]]": "self.positions[0]",
        },
    ),
    Variant(
        tag="transformer-positions-over-the-batch",
        description="Numbers the sequences of the batch instead of the tokens",
        message="You number the sequences of a batch, not the tokens of a sequence: all tokens of "
        "a sequence get the same row, and which row that is depends on the sequence's place in "
        "the batch. Which axis counts tokens?",
        edits={
            "self.positions[: src.shape[1]]": "self.positions[: len(src), None]",
            "self.positions[: tgt.shape[1]]": "self.positions[: len(tgt), None]",
        },
    ),
    Variant(
        tag="transformer-batch-first-forgotten",
        description="Makes torch's layers without batch_first=True",
        message="Unless told otherwise, torch's layers take the first axis for the sequence, so "
        "yours mix the *sequences* of a batch instead of the tokens of each. One argument tells "
        "them where the batch is: check that each of them gets it.",
        edits={"d_ff, dropout, batch_first=True": "d_ff, dropout"},
    ),
    Variant(
        tag="transformer-sequences-mixed",
        description="A sequence's logits depend on the others in its batch",
        message="One of your sequences gets different logits when others are beside it in the "
        "batch. They have nothing to do with each other. Which of your steps, or of your layers, "
        "looks along the axis of the batch?",
        edits={"logits = self.to_logits(y)": "logits = self.to_logits(y - y.mean(dim=0))"},
    ),
    Variant(
        tag="transformer-knows-the-length",
        description="Positions counted from the target's end, or relative to its length",
        message="When a target is cut short, the logits of the tokens that stay are no longer the "
        "same: what your model says at a position depends on how much is still to come. A writer "
        "doesn't know that yet. Where does the target's length decide anything: from which end "
        "positions are counted, say, or how much of the source is read?",
        edits={"self.positions[: tgt.shape[1]]": "self.positions[: tgt.shape[1]].flip(0)"},
    ),
    Variant(
        tag="transformer-positions-relative-to-the-length",
        description="Positions divided by the target's length",
        message="Your positions say what *share* of the target lies behind a token, so every token "
        "that is added moves all the others. While it writes, a model doesn't know how long its "
        "text will be. The position of a token should stay the same when more tokens follow.",
        edits={
            "self.positions[: tgt.shape[1]]": "torch.linspace(0, 1, tgt.shape[1]).unsqueeze(1)",
        },
    ),
)
