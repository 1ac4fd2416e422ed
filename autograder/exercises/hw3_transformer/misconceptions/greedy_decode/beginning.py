"""What learners get wrong in greedy_decode: beginning."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import COUNTING

MISCONCEPTIONS = (
    Variant(
        tag="decode-empty-places-are-read",
        description="Hands the model all max_len places, those still empty included",
        message="You hand the model places that nothing has been written "
        "in yet, and so it reads max_len tokens, where max_len - 1 are the most. A model with room "
        "for no more breaks off. How much of a row has been written when you ask?",
        edits={
            "model(src, tokens)": "model(src, F.pad(tokens, (0, max_len - tokens.shape[1])))"
            "[:, : tokens.shape[1]]"
        },
    ),
    Variant(
        tag="decode-begins-one-row-only",
        description="Begins a single row, however many sources there are",
        message="You begin a single text, however many sources come in: the model gets several "
        "sources and one target. Each row of `src` wants a text of its own, and all of them are "
        "written at the same time. What shape do your tokens begin with?",
        edits={"torch.full((len(src), 1), bos)": "torch.full((1, 1), bos)"},
    ),
    Variant(
        tag="decode-begins-with-zero",
        description="Starts from a column of zeros instead of bos",
        message="Your rows begin with 0, whatever bos is, so the model reads a beginning that it "
        "has never seen. The argument `bos` says which token begins a text.",
        edits={"torch.full((len(src), 1), bos)": "torch.zeros(len(src), 1, dtype=torch.int64)"},
    ),
    *(
        Variant(
            tag=f"decode-bos-of-its-own-{number}",
            description=f"Begins with {number}, whatever bos is",
            message="Your rows begin with a certain token, whatever `bos` you are given. "
            "Elsewhere it may be the one that begins a text; here another may be, and then the "
            "model reads a beginning that it has never seen. What do you fill the first column "
            "with?",
            edits={"torch.full((len(src), 1), bos)": f"torch.full((len(src), 1), {number})"},
        )
        for number in (1, 10)  # 10 is that of the notebook
    ),
    Variant(
        tag="decode-begins-with-eos",
        description="Starts from eos",
        message="Your rows begin with eos, so to the model the text is over before it begins. "
        "The exercise says which token comes first.",
        edits={"torch.full((len(src), 1), bos)": "torch.full((len(src), 1), eos)"},
    ),
    Variant(
        tag="decode-asks-after-eos",
        description="Asks the model after eos, and puts bos in front of the result",
        message="What you return begins with bos, but the model reads another first token: eos "
        "would lead to your text. Some libraries begin to read with eos; here a text begins with "
        "bos, for the model as well. What do your tokens hold when you ask for the first time?",
        edits={
            "torch.full((len(src), 1), bos)": "torch.full((len(src), 1), eos)",
            "return tokens": (
                "return torch.cat([torch.full((len(src), 1), bos), tokens[:, 1:]], dim=1)"
            ),
        },
    ),
    Variant(
        tag="decode-last-place-of-a-fixed-width",
        description="Reads max_len - 1 places, filled up with eos, and takes the last one's logits",
        message="You hand the model a row of full width, its empty places filled up, and take the "
        "logits of the last *place*: they say what follows the filling. The next token follows the "
        "last one that is written. At which position does that stand?",
        edits={
            "model(src, tokens)": (
                "model(src, F.pad(tokens, (0, max_len - 1 - tokens.shape[1]), value=eos))"
            )
        },
    ),
    Variant(
        tag="decode-bos-cut-off",
        description="Returns the tokens without bos",
        message="Your rows begin with the first word, and bos is missing. Leaving it out is "
        "tempting, since the model never said it; but it belongs to the rows and counts towards "
        "their width. Where does it get lost?",
        edits={"return tokens": "return tokens[:, 1:]"},
    ),
    Variant(
        tag="decode-reads-without-bos",
        description="Shows the model the tokens without bos after the first step",
        message="From the second step on, the model doesn't get to see bos. Every token then seems "
        "to be one place further left than it is. In training, bos was the first token that the "
        "model read.",
        edits={"model(src, tokens)": "model(src, tokens[:, min(1, tokens.shape[1] - 1) :])"},
    ),
    Variant(
        tag="decode-reads-the-last-token-only",
        description="Shows the model the last token alone",
        message="You show the model only the token that was written last, so it has forgotten "
        "everything before and takes this for the beginning.",
        edits={"model(src, tokens)": "model(src, tokens[:, -1:])"},
    ),
    Variant(
        tag="decode-arguments-swapped",
        description="Calls model(tokens, src)",
        message="You hand the model what was written as the source, and the source as what was "
        "written. It is called as `model(src, tgt)`.",
        edits={"model(src, tokens)": "model(tokens, src)"},
    ),
    Variant(
        tag="decode-starts-empty",
        description="Starts without any token: bos is missing",
        message="You ask the model before anything is written, not even bos, so there is no "
        "position at which it could answer. Every text begins with bos, before the model is asked.",
        edits={
            "torch.full((len(src), 1), bos)": "torch.empty(len(src), 0, dtype=torch.int64)",
        },
    ),
    Variant(
        tag="decode-writes-into-the-source",
        description="Writes into the tensor of the source",
        message="After your function the source is no longer what it was: something is written "
        "into the tensor that was passed in. The caller may want it again. Look for a line that "
        "changes a tensor instead of making a new one.",
        edits={"    return tokens": "    src[:, -1] = eos\n    return tokens"},
    ),
    Variant(
        tag="decode-source-not-whole",
        description="Hands the model other sources than it was given: cut, or put in another order",
        message="The model isn't asked about your sources as they are: some token is cut off, "
        "added, changed, or in another place. A model reads a source from its first token to its "
        "last before the first word is written, however long it is. What do you hand it as the "
        "source?",
        edits={"model(src, tokens)": "model(src[:, :3], tokens)"},
    ),
)

EXAMPLES = (COUNTING,)
