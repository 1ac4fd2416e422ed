"""What learners get wrong in greedy_decode: end."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
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
