"""What learners get wrong in train: targets."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import LOSS, SHARES

MISCONCEPTIONS = (
    Variant(
        tag="train-targets-not-shifted",
        description="Compares each position with the token that it reads",
        message="You ask each position for the token that it has just *read*. Copying that is "
        "easy, so the loss falls fast and the model learns nothing. In the picture of teacher "
        "forcing, what is below each token that is read?",
        edits={"wanted = tgt[:, 1:]": "wanted = tgt[:, :-1]"},
    ),
    Variant(
        tag="train-targets-shifted-twice",
        description="Predicts the token after the next",
        message="You ask each position for the token *after* the next one: targets and logits are "
        "shifted against each other twice. In the picture of teacher forcing, how far apart are a "
        "token that is read and the one below it?",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, :-2]",
            "wanted = tgt[:, 1:]": "wanted = tgt[:, 2:]",
        },
    ),
    Variant(
        tag="train-shifts-the-batch",
        description="Cuts the first axis of tgt, which is the batch: tgt[:-1], tgt[1:]",
        message="You cut the target along its *first* axis, so you leave out a sequence of the "
        "batch where a token should be left out. Some code keeps its sequences in columns; here "
        "each is a row. Which axis of (batch, t) counts tokens?",
        edits={"read = tgt[:, :-1]": "read = tgt[:-1]", "wanted = tgt[:, 1:]": "wanted = tgt[1:]"},
    ),
    Variant(
        tag="train-source-and-target-exchanged",
        description="Takes each pair for (tgt, src)",
        message="You take each batch for (target, source): your model reads the answer, and is "
        "asked for the source. In which order do the two stand in a pair?",
        edits={"for src, tgt in": "for tgt, src in"},
    ),
    Variant(
        tag="train-reads-the-answers",
        description="Feeds the decoder what it should predict",
        message="At each position your model reads the very token that it should predict, and it "
        "never sees `BOS`. Later, when it writes by itself, nobody will hand it the answer. In the "
        "picture of teacher forcing, which token does the decoder read first?",
        edits={"read = tgt[:, :-1]": "read = tgt[:, 1:]"},
    ),
    Variant(
        tag="train-eos-left-out",
        description="Never predicts eos",
        message="Your loss ends with the last word, so the model is never asked for `EOS` and "
        "can't learn to stop by itself. Of a target, only `BOS` is never predicted.",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, :-2]",
            "wanted = tgt[:, 1:]": "wanted = tgt[:, 1:-1]",
        },
    ),
    Variant(
        tag="train-first-token-left-out",
        description="Leaves out what follows BOS: the first word is never predicted",
        message="Your loss begins with the second word, so the model is never asked what follows "
        "`BOS` and can't learn to begin a text. Of a target, only `BOS` itself is never predicted. "
        "Which position of the logits is the first that you use?",
        edits={LOSS: "F.cross_entropy(logits[:, 1:].flatten(0, 1), wanted[:, 1:].flatten())"},
    ),
    Variant(
        tag="train-no-teacher-forcing",
        description="Feeds the model its own words instead of the right ones",
        message="You let the model read its own words while it learns. As long as they are wrong, "
        "it learns what follows wrong beginnings, and each batch takes many passes through the "
        "model. A patient teacher always gives it the right beginning.",
        edits={
            "read = tgt[:, :-1]": "read = tgt[:, :1]\n"
            "        while read.shape[1] < tgt.shape[1] - 1:\n"
            "            said = model(src, read)[:, -1:].argmax(dim=-1)\n"
            "            read = torch.cat([read, said], dim=1)"
        },
    ),
    Variant(
        tag="train-reads-bos-alone",
        description="Feeds nothing but bos at every position",
        message="At every position your model reads `BOS`, so it never learns how what has been "
        "written bears on what comes next. When it writes by itself, it reads everything written "
        "so far.",
        edits={"read = tgt[:, :-1]": "read = tgt[:, :1].expand(-1, tgt.shape[1] - 1)"},
    ),
    Variant(
        tag="train-first-token-only",
        description="Takes the loss of the first predicted token alone",
        message="Only the first predicted token counts in your loss. The model answers at every "
        "position at once, and every answer can be compared. Over which axes does your mean go?",
        edits={LOSS: "F.cross_entropy(logits[:, 0], wanted[:, 0])"},
    ),
    Variant(
        tag="train-last-token-only",
        description="Takes the loss of the last predicted token alone",
        message="Only the last predicted token counts in your loss. That is always `EOS`, so the "
        "model will learn to say nothing else. The mean should go over all positions.",
        edits={LOSS: "F.cross_entropy(logits[:, -1], wanted[:, -1])"},
    ),
)

EXAMPLES = (SHARES,)
