"""What learners get wrong in Encoder: length."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="encoder-length-not-checked",
        description="Accepts sequences longer than max_len",
        message="A sequence longer than max_len gets through your encoder. `max_len` is a promise "
        "to the caller, and the exercise says what should happen beyond. Where in `forward` do you "
        "look at the length, and what do you compare with what?",
        edits={"if seq > self.max_len:": "if False:"},
    ),
    Variant(
        tag="encoder-length-off-by-one",
        description="Refuses a sequence of exactly max_len tokens",
        message="A sequence of exactly max_len tokens is refused, though it is the *longest one "
        "allowed*. Which comparison lets the equal case through?",
        edits={"seq > self": "seq >= self"},
    ),
    Variant(
        tag="encoder-length-of-the-batch",
        description="Compares the number of sentences with max_len",
        message="You compare the number of *sentences* with max_len, so a long one gets through "
        "and a large batch is refused. Which axis of (batch, seq) counts the tokens of a sentence?",
        edits={"if seq > self.max_len": "if batch > self.max_len"},
    ),
    Variant(
        tag="encoder-length-asserted",
        description="Refuses longer sequences by an AssertionError",
        message="You do refuse a sequence that is too long, but by an `assert`. A caller who wants "
        "to catch this needs the error that the exercise names. Another statement raises an error "
        "of your choice.",
        edits={"raise ValueError(": "raise AssertionError("},
    ),
    Variant(
        tag="encoder-length-left-to-the-table",
        description="Lets a clash of sizes stop longer sequences",
        message="A sequence that is too long does end in an error, but in one about sizes that "
        "don't fit, from deep inside. A caller who wants to catch this needs the error that the "
        "exercise names. `forward` can look at the length before.",
        edits={
            (
                "        if seq > self.max_len:\n"
                '            raise ValueError("this sequence is too long")\n'
            ): "",
            "positional_encoding(seq, self.d_model)": (
                "positional_encoding(self.max_len, self.d_model)[:seq]"
            ),
        },
    ),
    Variant(
        tag="encoder-length-by-exception",
        description="Refuses longer sequences by a bare Exception",
        message="You do refuse a sequence that is too long, but by an exception of another kind. A "
        "caller catches errors by their kind, and the exercise names one.",
        edits={"raise ValueError(": "raise Exception("},
    ),
    Variant(
        tag="encoder-length-by-runtime-error",
        description="Refuses longer sequences by a RuntimeError",
        message="You do refuse a sequence that is too long, but by a RuntimeError. A caller "
        "catches errors by their kind, and the exercise names one.",
        edits={"raise ValueError(": "raise RuntimeError("},
    ),
    Variant(
        tag="encoder-length-by-index-error",
        description="Refuses longer sequences by an IndexError",
        message="You do refuse a sequence that is too long, but by an IndexError. A caller catches "
        "errors by their kind, and the exercise names one.",
        edits={"raise ValueError(": "raise IndexError("},
    ),
    Variant(
        tag="encoder-length-cut",
        description="Cuts longer sequences silently",
        message="You cut a sequence that is too long, and nobody learns that its end is lost. "
        "`max_len` is a promise, and the exercise says what should happen when it is broken.",
        edits={
            (
                "        if seq > self.max_len:\n"
                '            raise ValueError("this sequence is too long")\n'
            ): "        tokens = tokens[:, : self.max_len]\n        seq = tokens.shape[1]\n"
        },
    ),
    Variant(
        tag="encoder-length-clamped",
        description="Gives all tokens beyond max_len the last position",
        message="In a sequence longer than max_len, all tokens beyond get the last position, and "
        "nobody learns of it. `max_len` is a promise, and the exercise says what should happen "
        "when it is broken.",
        edits={
            (
                "        if seq > self.max_len:\n"
                '            raise ValueError("this sequence is too long")\n'
            ): "        rows = torch.arange(seq).clamp(max=self.max_len - 1)\n",
            "positional_encoding(seq, self.d_model)": (
                "positional_encoding(self.max_len, self.d_model)[rows]"
            ),
        },
    ),
    Variant(
        tag="encoder-length-the-wrong-way-round",
        description="Refuses shorter sequences instead of longer ones",
        message="You refuse sentences that are *shorter* than max_len. Read your comparison "
        "aloud: which of the two should be the larger one, when something is wrong?",
        edits={"if seq >": "if seq <"},
    ),
    Variant(
        tag="encoder-length-error-returned",
        description="Returns a ValueError instead of raising it",
        message="You *return* a ValueError: the caller gets an odd result, and nothing stops. "
        "Another statement raises an error.",
        edits={"raise ValueError(": "return ValueError("},
    ),
)
