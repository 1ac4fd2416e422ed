"""What learners get wrong in train: further ways to shift targets against what is read."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import SHARES

MISCONCEPTIONS = (
    Variant(
        tag="train-targets-whole",
        description="Reads the whole target and predicts the whole target",
        message="Your model reads the whole target and is asked for the whole target, so each "
        "position has to say the token that it has just read, `BOS` included. A writer needs to "
        "know what comes next. Which token is never read, and which is never predicted?",
        edits={"read = tgt[:, :-1]": "read = tgt", "wanted = tgt[:, 1:]": "wanted = tgt"},
    ),
    Variant(
        tag="train-targets-shifted-back",
        description="Predicts the token before the one that is read",
        message="You ask each position for the token *before* the one that it reads: what is read "
        "and what is wanted are shifted the wrong way round. In the picture of teacher forcing, "
        "what is below `BOS`?",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, 1:]",
            "wanted = tgt[:, 1:]": "wanted = tgt[:, :-1]",
        },
    ),
    Variant(
        tag="train-logits-shifted-back",
        description="Reads the whole target and compares logits[:, 1:] with tgt[:, :-1]",
        message="You ask each position for the token *before* the one that it has just read: "
        "logits and targets are shifted the wrong way round. In the picture of teacher forcing, "
        "what is below `BOS`, and which position has nothing below it?",
        edits={
            "read = tgt[:, :-1]": "read = tgt",
            "wanted = tgt[:, 1:]": "wanted = tgt[:, :-1]",
            "logits = model(src, read)": "logits = model(src, read)[:, 1:]",
        },
    ),
    Variant(
        tag="train-logits-cut-at-the-front",
        description="Reads the whole target and drops the first logits instead of the last",
        message="Each position is compared with the token that it has just read. Your model reads "
        "the whole target, and one position has no token that follows it, so its logits have to "
        "go. Which position is that, the first or the last?",
        edits={
            "read = tgt[:, :-1]": "read = tgt",
            "logits = model(src, read)": "logits = model(src, read)[:, 1:]",
        },
    ),
    Variant(
        tag="train-whole-target-read",
        description="Reads the whole target, predicts one token less: sizes don't fit",
        message="Your model reads the whole target, and so answers for one position more than "
        "there are tokens to predict; the loss can't pair them up. After `EOS` nothing follows. "
        "One token need not be read, or its logits need not be compared.",
        edits={"read = tgt[:, :-1]": "read = tgt"},
    ),
)

EXAMPLES = (SHARES,)
