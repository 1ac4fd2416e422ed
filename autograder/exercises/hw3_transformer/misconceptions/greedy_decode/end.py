"""What learners get wrong in greedy_decode: end."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import COUNTING

MISCONCEPTIONS = (
    Variant(
        tag="decode-goes-on-after-eos",
        description="Rows go on after their eos",
        message="After its eos, a row of yours goes on with whatever the model says next, and a "
        "model always says something. Other rows may still need time. The exercise says what those "
        "that have ended hold meanwhile.",
        edits={"        likeliest = likeliest.masked_fill(ended, eos)\n": ""},
    ),
    Variant(
        tag="decode-eos-never-asked-for",
        description="Rows go on to max_len with what the model says: nothing looks for eos",
        message="Each row of yours goes on to max_len with whatever the model says, even after "
        "its eos. A model always says something, so you have to notice when a row has ended. "
        "The exercise says what such a row holds from then on.",
        edits={
            "        likeliest = likeliest.masked_fill(ended, eos)\n": "",
            "        if ended.all():\n            break\n": "",
        },
    ),
    Variant(
        tag="decode-fills-up-with-zeros",
        description="Fills ended rows up with 0",
        message="Once a row has ended, you fill it up with 0. That may be the padding elsewhere, "
        "but here 0 can be a word like any other. The exercise says which token an ended row goes "
        "on with.",
        edits={"masked_fill(ended, eos)": "masked_fill(ended, 0)"},
    ),
    Variant(
        tag="decode-fills-up-with-bos",
        description="Fills ended rows up with bos",
        message="Once a row has ended, you fill it up with bos, as if a new text began there. The "
        "exercise says which token an ended row goes on with.",
        edits={"masked_fill(ended, eos)": "masked_fill(ended, bos)"},
    ),
    Variant(
        tag="decode-stops-with-the-first",
        description="Stops as soon as any row has ended",
        message="You stop as soon as one row has ended, and so cut the others short. Look at the "
        "condition under which the loop ends.",
        edits={"ended.all()": "ended.any()"},
    ),
    Variant(
        tag="decode-first-row-decides",
        description="Stops when the first row has ended",
        message="You stop when the *first* row has ended, however far the others have got. With a "
        "single source that is right. How many of the rows need to be asked?",
        edits={"ended.all()": "ended[0]"},
    ),
    Variant(
        tag="decode-first-row-alone-ends",
        description="Stops when the first row has ended, and holds no row at eos",
        message="Your loop asks the first row alone: when that ends all rows do, and one that "
        "ended before goes on as if it never had. With a single source both are right. What has to "
        "be remembered of each row of a batch?",
        edits={
            "        likeliest = likeliest.masked_fill(ended, eos)\n": "",
            "ended.all()": "ended[0]",
        },
    ),
    Variant(
        tag="decode-last-row-decides",
        description="Stops when the last row of the batch has ended",
        message="You stop when the *last* row of the batch has ended, however far the others have "
        "got. With a single source that is right. How many of the rows need to be asked?",
        edits={"ended.all()": "ended[-1]"},
    ),
    Variant(
        tag="decode-eos-of-zero-unseen",
        description="Asks `if eos`: an eos of 0 ends no row",
        message="Where eos is 0, no row of yours ends; with any other number it does. To Python 0 "
        "is as good as False, so `if eos:` and `eos or …` pass it by. Here 0 is a token like any "
        "other. Where do you ask about eos itself, and not whether a token equals it?",
        edits={"ended | (likeliest == eos)": "ended | ((likeliest == eos) & bool(eos))"},
    ),
    Variant(
        tag="decode-eos-not-written",
        description="Stops before the eos is appended",
        message="When the last row says eos, you stop before writing it down, so the longest text "
        "has no end. Its eos belongs to the text. Which comes first, appending or leaving the "
        "loop?",
        edits={
            "        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)\n": "",
            "            break\n": "            break\n"
            "        tokens = torch.cat([tokens, likeliest.unsqueeze(1)], dim=1)\n",
        },
    ),
    Variant(
        tag="decode-one-too-many",
        description="max_len steps: bos isn't counted",
        message="Where no row ends, you go on beyond the last place that max_len allows. bos "
        "already takes one of the max_len places.",
        edits={"range(max_len - 1)": "range(max_len)"},
    ),
    Variant(
        tag="decode-one-column-too-many",
        description="bos isn't counted, and rows are filled up: always max_len + 1 columns",
        message="Your result has max_len + 1 columns, whenever rows end. bos already takes one of "
        "the max_len places.",
        edits={
            "range(max_len - 1)": "range(max_len)",
            "return tokens": "return F.pad(tokens, (0, max_len + 1 - tokens.shape[1]), value=eos)",
        },
    ),
    Variant(
        tag="decode-one-too-few",
        description="max_len - 2 steps: stops one early",
        message="Where no row ends, your result is one token narrower than max_len. A text that "
        "hasn't ended needs no place for eos, and before the first step there is only bos. How "
        "many steps fit in after it?",
        edits={"range(max_len - 1)": "range(max_len - 2)"},
    ),
    Variant(
        tag="decode-eos-forced",
        description="Puts eos in the last place whether or not the model ended",
        message="The last place of your rows holds eos, whatever the model says there. At max_len "
        "a text may well be unfinished. Is the model asked about that place, and is its answer "
        "kept?",
        edits={"return tokens": "tokens[:, -1] = eos\n    return tokens"},
    ),
    Variant(
        tag="decode-eos-of-its-own",
        description="Looks for a fixed number instead of the argument eos",
        message="When eos has a different number from the one in the notebook's example, your rows "
        "don't end where they should: you look for some other end than the one you are given. "
        "Where do you compare with a number or a name other than `eos`?",
        edits={"likeliest == eos": "likeliest == 11"},
    ),
    *(
        Variant(
            tag=f"decode-eos-of-its-own-{number}",
            description=f"Looks for {number} instead of the argument eos",
            message="Your rows don't end where they should: you look for a certain number, "
            "whatever `eos` you are given. Elsewhere that number may be the end; here it can be a "
            "word like any other. Where do you compare with a number or a name other than `eos`?",
            edits={"likeliest == eos": f"likeliest == {number}"},
        )
        for number in (1, 2, 3)
    ),
    Variant(
        tag="decode-bos-and-eos-of-the-notebook",
        description="Uses BOS and EOS of the notebook, 10 and 11, instead of the arguments",
        message="With a `bos` and an `eos` other than those of the notebook, your rows still begin "
        "and end with the notebook's: the two arguments have no effect. A function that reads "
        "what stands around it works there alone. Which names in yours are neither arguments nor "
        "its own?",
        edits={
            "(len(src), 1), bos": "(len(src), 1), 10",
            "(ended, eos)": "(ended, 11)",
            "likeliest == eos": "likeliest == 11",
        },
    ),
    Variant(
        tag="decode-ends-together",
        description="Doesn't remember who has ended: stops only when all rows say eos at once",
        message="You stop only when all rows say eos in the very same step; a row that said it "
        "earlier goes on as if it never had. In a batch, rows end at different times. What does "
        "your function remember about a row from one step to the next?",
        edits={
            "        likeliest = likeliest.masked_fill(ended, eos)\n": "",
            "ended = ended | (likeliest == eos)": "ended = likeliest == eos",
        },
    ),
    Variant(
        tag="decode-one-after-eos",
        description="Appends one more token after eos before a row counts as ended",
        message="After its eos, a row of yours goes on with one more token, and only then with "
        "eos. Whether a row has ended is known as soon as its eos is chosen. When do you ask: "
        "before the next token is put in its place, or after?",
        edits={
            "ended = ended | (likeliest == eos)": "ended = ended | (tokens[:, -2] == eos)",
        },
    ),
    Variant(
        tag="decode-ended-compared-with-eos",
        description="Writes `ended | token == eos`, where Python takes `ended | token` first",
        message="Where eos is an odd number, your rows stay ended. Where it is even, a row that "
        "has ended comes to life again. In Python `|` goes before `==`, as a product goes before a "
        "sum: what do you compare with eos, and where do brackets belong?",
        edits={"ended | (likeliest == eos)": "ended | likeliest == eos"},
    ),
    Variant(
        tag="decode-zero-taken-for-the-end",
        description="Takes the token 0 for an end",
        message="When the model says 0, a row of yours ends. Elsewhere 0 may stand for padding; "
        "here it can be a word like any other, and the end has the number that `eos` says. Where "
        "do you compare with 0, or ask whether a number is true?",
        edits={"(likeliest == eos)": "(likeliest == eos) | (likeliest == 0)"},
    ),
    Variant(
        tag="decode-ends-with-larger-numbers",
        description="Takes eos and every token of a larger number for the end",
        message="When the model says a token of a larger number than eos, a row of yours ends. "
        "Their order means nothing: behind `eos` there may be words like any others. How do you "
        "compare?",
        edits={"(likeliest == eos)": "(likeliest >= eos)"},
    ),
    Variant(
        tag="decode-a-limit-of-its-own",
        description="Stops after a fixed number of steps, whatever max_len says",
        message="However much room max_len leaves, your texts end after a certain number of "
        "tokens. How long a text may get is decided by an argument. Where does the number of your "
        "steps come from?",
        edits={"range(max_len - 1)": "range(min(max_len - 1, 49))"},
    ),
    *(
        Variant(
            tag=f"decode-as-long-as-the-source{suffix}",
            description=f"Ends after {steps} steps, or where max_len says so before",
            message="The longer the source, the longer your texts may get: the number of your "
            "steps comes from the length of `src`. A text may be longer or shorter than what it "
            "was made from, and two things alone end it. Which are they?",
            edits={"range(max_len - 1)": f"range(min(max_len - 1, {steps}))"},
        )
        for suffix, steps in (
            ("", "src.shape[1]"),
            ("-and-one", "src.shape[1] + 1"),
            ("-without-one", "src.shape[1] - 1"),
        )
    ),
    Variant(
        tag="decode-at-least-one-step",
        description="Writes a token before it looks at max_len",
        message="With max_len=1 there is room for bos and for nothing else, but you ask the model "
        "for a token all the same. Which comes first in your loop: a step, or the question "
        "whether there is room for one?",
        edits={"range(max_len - 1)": "range(max(max_len - 1, 1))"},
    ),
    Variant(
        tag="decode-no-empty-text",
        description="Doesn't let a text be empty: eos isn't taken in the first step",
        message="Where the model's first token is eos, your rows go on with another one: no text "
        "of yours is empty. That may seem sensible, but greedy decoding takes whatever the model "
        "finds likeliest. What is different about your first step?",
        edits={
            "        likeliest = likeliest.masked_fill(ended, eos)\n": "        if tokens.shape[1] "
            "== 1:\n"
            "            others = logits[:, -1].index_fill(-1, torch.tensor([eos]), -torch.inf)\n"
            "            likeliest = others.argmax(dim=-1)\n"
            "        likeliest = likeliest.masked_fill(ended, eos)\n"
        },
    ),
)

EXAMPLES = (COUNTING,)
