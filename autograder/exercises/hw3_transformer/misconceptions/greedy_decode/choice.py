"""What learners get wrong in greedy_decode: choice."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import COUNTING, NEXT

MISCONCEPTIONS = (
    Variant(
        tag="decode-first-position",
        description="Takes the logits of the first position instead of the last",
        message="All you write is what follows bos, again and again. The model answers at every "
        "position that it reads, and all but one of its answers are old. What does it read in "
        "your second step, and where in its logits is the new answer?",
        edits={"logits[:, -1]": "logits[:, 0]"},
    ),
    Variant(
        tag="decode-argmax-over-the-batch",
        description="argmax over the batch (axis 0) instead of the vocabulary",
        message="Your choice runs over the batch: it says which *row* likes a token most, not "
        "which token a row likes most. Once a position is chosen, which axis is the vocabulary?",
        edits={NEXT: "logits[:, -1].argmax(dim=0)[: len(src)]"},
    ),
    Variant(
        tag="decode-softmax-over-the-batch",
        description="softmax over the batch (dim=0) before the choice",
        message="Your softmax compares the *rows* of the batch with one another, and with a single "
        "source everything becomes 1. Which axis of what you hand to it is the vocabulary? And "
        "does the largest number become another one by a softmax over that axis?",
        edits={NEXT: "logits[:, -1].softmax(dim=0).argmax(dim=-1)"},
    ),
    Variant(
        tag="decode-softmax-over-positions",
        description="softmax over the positions (dim=1) before the choice",
        message="Your softmax compares the *positions* of a text with one another: a token that "
        "was likely earlier counts less at the last one. Which axis of what you hand to it is the "
        "vocabulary? And does the largest number become another one by a softmax over that axis?",
        edits={NEXT: "logits.softmax(dim=1)[:, -1].argmax(dim=-1)"},
    ),
    Variant(
        tag="decode-argmax-without-an-axis",
        description="argmax over the whole batch at once: right for a single source",
        message="In a batch your choice is one number for all "
        "rows, and it may be larger than any token: without an axis, `argmax` looks for the best "
        "score of all rows and counts through them to its place. Each step needs one token per "
        "row.",
        edits={NEXT: "logits[:, -1].argmax().repeat(len(src))"},
    ),
    Variant(
        tag="decode-argmax-over-positions",
        description="argmax over the positions (axis 1) instead of the vocabulary",
        message="Your choice runs over the positions: what it finds are places in the text, not "
        "tokens. The logits are (batch, t, vocab). You want the best *token* of a position.",
        edits={NEXT: "logits.argmax(dim=1)[:, -1]"},
    ),
    Variant(
        tag="decode-score-for-the-token",
        description="Writes the largest score itself, as a whole number, instead of its token",
        message="What you write is how large the best score *is*, cut to a whole number. A token "
        "is where in the vocabulary that score stands. A maximum along an axis has two sides, its "
        "value and its place: which one do you take?",
        edits={NEXT: "logits[:, -1].amax(dim=-1).long()"},
    ),
    Variant(
        tag="decode-least-likely",
        description="argmin: takes the least likely token",
        message="You take the token that the model finds *least* likely. The larger a logit, the "
        "likelier its token.",
        edits={"argmax": "argmin"},
    ),
    Variant(
        tag="decode-rows-follow-the-first",
        description="Takes the first row's token for every row",
        message="Every row gets the text of the first: right for a single source, wrong for a "
        "batch. Is the model asked about each row's own source, and does your choice keep one "
        "token for each row?",
        edits={NEXT: "logits[:1, -1].argmax(dim=-1).repeat(len(src))"},
    ),
    Variant(
        tag="decode-item-of-a-batch",
        description="Turns the batch's tokens into one number: right for a single source",
        message="For a single source your function works, but where several rows have a token "
        "each, `.item()` or `int()` can't make one number of them. Every row goes on with a token "
        "of its own. Which of your lines expects one token instead of a column of them?",
        source="""\
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((len(src), 1), bos)
    for _ in range(max_len - 1):
        likeliest = model(src, tokens)[:, -1].argmax(dim=-1).item()
        tokens = torch.cat([tokens, torch.tensor([[likeliest]])], dim=1)
        if likeliest == eos:
            break
    return tokens
""",
    ),
    Variant(
        tag="decode-batch-as-one-condition",
        description="Asks `if token == eos` of a whole batch: right for a single source",
        message="For a single source your function works, but an `if` or a `while` can't ask "
        "several rows one yes-or-no question: one row may have ended and another not. What do you "
        "want to know: whether any row has ended, or all of them, or each for itself?",
        source="""\
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((len(src), 1), bos)
    for _ in range(max_len - 1):
        likeliest = model(src, tokens)[:, -1].argmax(dim=-1)
        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)
        if likeliest == eos:
            break
    return tokens
""",
    ),
    Variant(
        tag="decode-batch-of-one-squeezed",
        description="Squeezes a batch of one away",
        message="For a single source your result has one axis instead of the two of (1, width). "
        "`squeeze` takes away every axis of length 1, and sometimes the batch is one. Which axis "
        "did you mean?",
        edits={"return tokens": "return tokens.squeeze()"},
    ),
    Variant(
        tag="decode-never-repeats",
        description="Doesn't append a token that equals the last one",
        message="Where the model says the same token twice in a row, your rows don't. It may well "
        "do so, as in *bitter* or 1 0 0 7, and a greedy decoder writes whatever is likeliest. "
        "Which of your steps compares a token with the last one?",
        source="""\
def greedy_decode(model, src, bos, eos, max_len):
    rows = []
    for source in src:
        row = [bos]
        while len(row) < max_len and row[-1] != eos:
            read = torch.tensor([row])
            likeliest = model(source.unsqueeze(0), read)[0, -1]
            likeliest[row[-1]] = -torch.inf
            row.append(int(likeliest.argmax()))
        rows.append(row)
    width = max(map(len, rows))
    return torch.tensor([row + [eos] * (width - len(row)) for row in rows])
""",
    ),
    Variant(
        tag="decode-no-token-twice",
        description="Rules out every token that has been written already",
        message="No token comes twice in a row of yours, though the model finds one likeliest "
        "that has been written before. It may well do so, as in 1 0 0 7, and a greedy decoder "
        "writes whatever is likeliest. What do you do with the scores of tokens that are there "
        "already?",
        edits={NEXT: "logits[:, -1].scatter(-1, tokens, -torch.inf).argmax(dim=-1)"},
    ),
    Variant(
        tag="decode-never-bos",
        description="Rules out bos: it is never written again",
        message="Where the model finds bos likeliest, your rows go on with another token. That may "
        "seem sensible, but greedy decoding takes whatever the model finds likeliest, and asks for "
        "no reasons. Where do you leave bos out of the choice?",
        edits={
            NEXT: "logits[:, -1].index_fill(-1, torch.tensor([bos]), -torch.inf).argmax(dim=-1)"
        },
    ),
)

EXAMPLES = (COUNTING,)
