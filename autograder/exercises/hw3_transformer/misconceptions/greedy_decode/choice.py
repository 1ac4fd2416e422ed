"""What learners get wrong in greedy_decode: choice."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import NEXT

MISCONCEPTIONS = (
    Variant(
        tag="decode-first-position",
        description="Takes the logits of the first position instead of the last",
        message="In each step you take the model's first answer, which says what follows bos. It "
        "answers for every position, and all but one of the answers are old. Where stands the new "
        "one?",
        edits={"logits[:, -1]": "logits[:, 0]"},
    ),
    Variant(
        tag="decode-argmax-over-the-batch",
        description="argmax over the batch (axis 0) instead of the vocabulary",
        message="Your argmax runs over the batch: it says which *row* likes a token most, not "
        "which token a row likes most. After the choice of a position, which axis is the "
        "vocabulary?",
        edits={NEXT: "logits[:, -1].argmax(dim=0)[: len(src)]"},
    ),
    Variant(
        tag="decode-argmax-over-positions",
        description="argmax over the positions (axis 1) instead of the vocabulary",
        message="Your argmax runs over the positions: what it returns are places in the text, not "
        "tokens. The logits are (batch, t, vocab). Among what do you want to find the best?",
        edits={NEXT: "logits.argmax(dim=1)[:, -1]"},
    ),
    Variant(
        tag="decode-least-likely",
        description="argmin: takes the least likely token",
        message="You take the token that the model finds *least* likely. Logits are scores: what "
        "does a large one mean?",
        edits={"argmax": "argmin"},
    ),
    Variant(
        tag="decode-rows-follow-the-first",
        description="Takes the first row's token for every row",
        message="Every row gets the token of the first: right for a single source, wrong for a "
        "batch. Does your choice of a token keep one for each row?",
        edits={NEXT: "logits[:1, -1].argmax(dim=-1).repeat(len(src))"},
    ),
)
