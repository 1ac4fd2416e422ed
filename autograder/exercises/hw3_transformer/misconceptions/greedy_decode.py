"""What learners get wrong in greedy_decode."""

from __future__ import annotations

from autograder.testing import Variant

# It stops early, as most do; an answer that fills up to max_len is told by its width alone.
REFERENCE = """\
def greedy_decode(model, src, bos, eos, max_len):
    tokens = torch.full((len(src), 1), bos)
    ended = torch.zeros(len(src), dtype=torch.bool)
    for _ in range(max_len - 1):
        with torch.no_grad():
            logits = model(src, tokens)
        likeliest = logits[:, -1].argmax(dim=-1)
        likeliest = likeliest.masked_fill(ended, eos)
        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)
        ended = ended | (likeliest == eos)
        if ended.all():
            break
    return tokens
"""

_NEXT = "logits[:, -1].argmax(dim=-1)"

WRONG_BEGINNING = (
    Variant(
        tag="decode-begins-with-zero",
        description="Starts from a column of zeros instead of bos",
        message="Your rows begin with 0, whatever bos is, and then the model reads a beginning "
        "that it has never seen. Which token says to it that a text begins?",
        edits={"torch.full((len(src), 1), bos)": "torch.zeros(len(src), 1, dtype=torch.int64)"},
    ),
    Variant(
        tag="decode-begins-with-eos",
        description="Starts from eos",
        message="Your rows begin with eos, so for the model the text is over before it begins. "
        "Which of the two special tokens stands first?",
        edits={"torch.full((len(src), 1), bos)": "torch.full((len(src), 1), eos)"},
    ),
    Variant(
        tag="decode-bos-cut-off",
        description="Returns the tokens without bos",
        message="You cut bos off before you return. It is tempting, since nobody wrote it; but "
        "the exercise asks for rows that begin with it, and it counts in the width.",
        edits={"return tokens": "return tokens[:, 1:]"},
    ),
    Variant(
        tag="decode-reads-without-bos",
        description="Shows the model the tokens without bos after the first step",
        message="From the second step on you don't show bos to the model. Then every token seems "
        "to stand one place further left than it does. What was the first thing that the model "
        "read in training?",
        edits={"model(src, tokens)": "model(src, tokens[:, min(1, tokens.shape[1] - 1) :])"},
    ),
    Variant(
        tag="decode-reads-the-last-token-only",
        description="Shows the model the last token alone",
        message="You show the model only the token that was written last, so it has forgotten "
        "everything before and believes to be at the beginning. What does it have to read to know "
        "where it is?",
        edits={"model(src, tokens)": "model(src, tokens[:, -1:])"},
    ),
    Variant(
        tag="decode-arguments-swapped",
        description="Calls model(tokens, src)",
        message="You hand the model what was written as the source, and the source as what was "
        "written. It is called as `model(src, tgt)`. Which of the two grows from step to step?",
        edits={"model(src, tokens)": "model(tokens, src)"},
    ),
)

WRONG_CHOICE = (
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
        edits={_NEXT: "logits[:, -1].argmax(dim=0)[: len(src)]"},
    ),
    Variant(
        tag="decode-argmax-over-positions",
        description="argmax over the positions (axis 1) instead of the vocabulary",
        message="Your argmax runs over the positions: what it returns are places in the text, not "
        "tokens. The logits are (batch, t, vocab). Among what do you want to find the best?",
        edits={_NEXT: "logits.argmax(dim=1)[:, -1]"},
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
        edits={_NEXT: "logits[:1, -1].argmax(dim=-1).repeat(len(src))"},
    ),
)

WRONG_END = (
    Variant(
        tag="decode-goes-on-after-eos",
        description="Rows go on after their eos",
        message="After its eos a row of yours goes on with whatever the model says next, and a "
        "model says something always. Other rows may still need time. What should stand in those "
        "that are done?",
        edits={"        likeliest = likeliest.masked_fill(ended, eos)\n": ""},
    ),
    Variant(
        tag="decode-fills-up-with-zeros",
        description="Fills ended rows up with 0",
        message="You fill rows that have ended up with 0. That may be the padding elsewhere; here "
        "0 can be a word like any other. With which token should a row go on that has ended?",
        edits={"masked_fill(ended, eos)": "masked_fill(ended, 0)"},
    ),
    Variant(
        tag="decode-fills-up-with-bos",
        description="Fills ended rows up with bos",
        message="You fill rows that have ended up with bos, as if a new text began there. With "
        "which token should a row go on that has ended?",
        edits={"masked_fill(ended, eos)": "masked_fill(ended, bos)"},
    ),
    Variant(
        tag="decode-stops-with-the-first",
        description="Stops as soon as any row has ended",
        message="You stop as soon as one row has ended, and cut the others short. Which question "
        "is to be asked of the rows: has *any* ended, or something else?",
        edits={"ended.all()": "ended.any()"},
    ),
    Variant(
        tag="decode-first-row-decides",
        description="Stops when the first row has ended",
        message="You stop when the *first* row has ended, whatever the others are at. With a "
        "single source that is right. Of how many rows has the question to be asked?",
        edits={"ended.all()": "ended[0]"},
    ),
    Variant(
        tag="decode-eos-not-written",
        description="Stops before the eos is appended",
        message="When the last row says eos you stop before writing it down, so the longest text "
        "has no end. The eos belongs to the text. What comes first, appending or leaving the loop?",
        edits={
            "        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)\n": "",
            "            break\n": "            break\n"
            "        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)\n",
        },
    ),
    Variant(
        tag="decode-one-too-many",
        description="max_len steps: bos isn't counted",
        message="Where no row ends, your result is one token wider than max_len: bos stands there "
        "before the first step. How many steps are left for the others?",
        edits={"range(max_len - 1)": "range(max_len)"},
    ),
    Variant(
        tag="decode-one-too-few",
        description="max_len - 2 steps: stops one early",
        message="Where no row ends, your result is one token narrower than max_len. Perhaps you "
        "keep a place for eos; but a text that hasn't ended has none. How many steps fit in after "
        "bos?",
        edits={"range(max_len - 1)": "range(max_len - 2)"},
    ),
    Variant(
        tag="decode-eos-forced",
        description="Puts eos in the last place whether or not the model ended",
        message="You put an eos at the end of every row, though at max_len a text may be "
        "unfinished: you write over what the model said. When does a row of yours end with eos?",
        edits={"return tokens": "tokens[:, -1] = eos\n    return tokens"},
    ),
    Variant(
        tag="decode-eos-of-its-own",
        description="Looks for a fixed number instead of the argument eos",
        message="You look for an eos of your own instead of the one you are given: with another "
        "numbering your rows don't end where they should. Where is a number written that should "
        "be a name?",
        edits={"likeliest == eos": "likeliest == 11"},
    ),
)

WRONG_RESULT = (
    Variant(
        tag="decode-floats",
        description="Returns floating-point tokens",
        message="Your tokens come back as floating-point numbers. They are indices: no embedding "
        "would take them. Of which type is the tensor that you begin with?",
        edits={"return tokens": "return tokens.float()"},
    ),
    Variant(
        tag="decode-lists",
        description="Returns lists instead of a tensor",
        message="You return lists. A tensor is asked for, (batch, width), and since you fill rows "
        "up it has the same width everywhere. Which step turns your tensor into lists?",
        edits={"return tokens": "return tokens.tolist()"},
    ),
    Variant(
        tag="decode-flattened",
        description="Returns one long row",
        message="Your result has a single axis, so nobody can tell where one text ends and the "
        "next begins. Where does the axis of the batch get lost?",
        edits={"return tokens": "return tokens.flatten()"},
    ),
    Variant(
        tag="decode-reverses-the-source",
        description="Knows the task: returns the source backwards without asking the model",
        message="Your function turns the source around itself and never asks the model. It would "
        "be right for one task and one perfect model; what is asked for is to write what *the "
        "model* finds likeliest, whatever it was trained on.",
        source="""\
def greedy_decode(model, src, bos, eos, max_len):
    begin, end = torch.full((len(src), 1), bos), torch.full((len(src), 1), eos)
    return torch.cat([begin, src.flip(1), end], dim=1)[:, :max_len]
""",
    ),
    Variant(
        tag="decode-nothing-returned",
        description="Writes, but returns nothing",
        message="Your function comes to its end without handing anything back, so its caller gets "
        "None. A function hands back what follows `return`: does yours get there, also when the "
        "loop ends early?",
        edits={"    return tokens\n": ""},
    ),
    Variant(
        tag="decode-sampled",
        description="Draws a token at random by its probability",
        message="You draw tokens at random, each as often as the model finds it likely. That is "
        "called sampling and makes livelier texts; greedy decoding is asked for, which gives the "
        "same text every time. Which token does it take?",
        edits={_NEXT: "torch.multinomial(logits[:, -1].softmax(-1), 1).squeeze(1)"},
    ),
)

MISCONCEPTIONS = (*WRONG_BEGINNING, *WRONG_CHOICE, *WRONG_END, *WRONG_RESULT)
