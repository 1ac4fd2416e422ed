"""Hidden tests of `greedy_decode`, with models that live here and whose words are known.

A scripted model knows one text for each source, whose words are drawn. As long as the target read
so far is the beginning of that text, it finds the text's next token likeliest; once off the script
it talks nonsense, which depends on all that it has read. So it makes no difference how the student
asks, provided the model reads what it should. A chain goes by the last token alone: with it, rows
and ends are tested even where too little is read. And one test alone asks for the shape, for bos,
and one for eos, in what comes back. As a Transformer does, both say at each position what they said
there before more was written, so all their answers may be taken anew at each step.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from autograder.testing import Model, Student, expect, laws, points

from ..lent_models import (
    USUAL,
    Chain,
    Scripted,
    WholeSource,
    are_written,
    decode,
    drawn_noise,
    drawn_scripts,
    drawn_sources,
    rows_of,
    words,
)

RESULT = "int64 tokens `(batch, width)` that begin with `bos`; `src` is left as it was"
ENDS = "rows end at different times: the longest is complete, and after `eos` comes `eos` alone"
ARGUMENTS = "`max_len` is kept, and any tokens can be `bos` and `eos`"


@points(2, "one token after another: the likeliest, after all that is written")
def test_a_text_is_written_one_token_after_another(
    student: Student, rng: np.random.Generator
) -> None:
    """One source gets its text: always the likeliest token after all that is written."""
    (script,) = drawn_scripts(rng, [[10, 4, 7, 4, 4, 10, 2, 11, 3, 3]], eos=11)
    src, texts = drawn_sources(rng, [script], 4)
    asked = Model(Scripted(texts, drawn_noise(rng, 10))), src, 10, 11, 10
    result = student.greedy_decode(*asked)
    is_written = are_written(result, [script], eos=11)
    if not is_written:
        student.greedy_decode(*asked)  # is it drawn at random? then it is another text now
    (row,) = rows_of(result, 1)
    said = words(row, script, eos=11)
    assert is_written or 11 in row or not said or said != list(script[1 : len(said) + 1]), (
        f"The text is the model's, but it breaks off after {len(said)} of its words. The model "
        "goes on until its eos, for which there is room: max_len is 10. What else ends your loop?"
    )
    assert is_written, (
        "The text isn't the model's. Each step asks the model with all that is written so far, bos "
        "included, and takes the likeliest token of the vocabulary after the *last* position."
    )
    told = [10, *rng.integers(1, 10, size=28).tolist(), 11, 3, 3]
    (long,) = drawn_scripts(rng, [told], eos=11)
    assert are_written(decode(student, rng, [long], eos=11, max_len=36), [long], eos=11), (
        "A short text is the model's, and one of 28 words isn't. Does the model read all of it, "
        "from bos on, at each step?"
    )


@points(1, "in a batch, each source gets a text of its own")
def test_each_source_gets_a_text_of_its_own(student: Student, rng: np.random.Generator) -> None:
    """In a batch, every row is written for its own source; here all end at the same time."""
    texts = [
        [10, 1, 5, 6, 11, 2],
        [10, 8, 8, 3, 11, 2],
        [10, 5, 1, 9, 11, 2],
        [10, 1, 8, 9, 11, 2],
    ]
    scripts = drawn_scripts(rng, texts, eos=11)
    written = []
    for s in (4, 70):
        src, known = drawn_sources(rng, scripts, s)
        model = WholeSource(known, drawn_noise(rng, 8), whole=src.tolist())
        result = student.greedy_decode(Model(model), src, 10, 11, 8)
        expect.that(
            not model.other,
            f"Of {len(src)} sources of {s} tokens, the model isn't asked about each as it is, from "
            "its first token to its last. What do you hand it as the source?",
            "decode-source-not-whole",
        )
        written.append(are_written(result, scripts, eos=11))
    assert all(written), (
        "In a batch, some row is not what the model says for its source. Does each row go on with "
        "the token that is likeliest in its own logits?"
    )


@points(1, RESULT)
def test_int64_tokens_come_back_that_begin_with_bos(
    student: Student, rng: np.random.Generator
) -> None:
    """An int64 tensor (batch, width) comes back, bos first in each row; src is left alone."""
    (script,), results = drawn_scripts(rng, [[10, 1, 5, 11, 2]], eos=11), list[Any]()
    laws.leaves_inputs_alone(
        student,
        lambda: results.append(decode(student, rng, [script], 11, 6, Chain)),
        reveals="decode-writes-into-the-source",
    )
    (result,) = results
    width = len(rows_of(result, 1)[0])
    expect.that(
        tuple(getattr(result, "shape", ())) != (width,),
        f"For one source you return a single axis of {width} tokens. Return (batch, width), one "
        "row per source.",
        "decode-an-axis-lost",
    )
    expect.array(result, (1, width), "tensor", "Return (batch, width), one row per source.")
    expect.that(
        result.dtype == torch.int64,
        f"Tokens should come back as int64, because they are indices; yours are {result.dtype}.",
        "decode-not-int64",
    )
    expect.that(
        result[:, 0].tolist() != [1],
        "Your rows begin with the first word. Each row should begin with bos.",
        "decode-bos-cut-off",
    )
    assert (result[:, 0] == 10).all(), "Each row should begin with bos. Yours don't."
    assert words(rows_of(result, 1)[0], script, eos=11), "After bos, your row holds no words."


@points(1, ENDS)
def test_rows_that_need_longer_are_written_to_their_end(
    student: Student, rng: np.random.Generator
) -> None:
    """Where rows end at different times, the longest is complete as well, with its eos.

    The first row to end is neither the first nor the last, so it shows which of them decides.
    """
    texts = [
        [10, 5, 7, 1, 11, 8, 6, 2],
        [10, 1, 2, 3, 4, 6, 11, 8],
        [10, 3, 11, 4, 6, 5, 2, 7],
        [10, 6, 4, 11, 1, 2, 5, 8],
    ]
    scripts = drawn_scripts(rng, texts, eos=11)
    result = decode(student, rng, scripts, eos=11, max_len=10, model=Chain)
    row = rows_of(result, 4)[1]
    assert words(row, scripts[1], eos=11) == list(scripts[1][1:6]), (
        "While other rows of the batch have ended already, the longest one isn't written as the "
        "model would. Decoding goes on until *every* row has its eos."
    )
    assert 11 in row, (
        "The longest row holds all its words, but not the eos that ends it: eos belongs to the "
        "text. What happens to a token once you find that it is eos?"
    )


@points(1, ENDS)
def test_after_eos_comes_nothing_but_eos(student: Student, rng: np.random.Generator) -> None:
    """A row that has ended is filled up with eos, whatever the model would go on to say."""
    end = -1
    texts = [
        [9, 3, end, 4, 6, 5, 2, 7],
        [9, 1, 2, 3, 4, 6, end, 8],
        [9, 5, end, 2, 7, 1, 8, 6],
        [9, end, 3, 4, 6, 2, 7, 1],
    ]
    for eos in (11, 10):  # `ended | token == eos` is right where eos is odd
        known = [[eos if token == end else token for token in text] for text in texts]
        scripts = drawn_scripts(rng, known, eos, keeps=USUAL)
        rows = rows_of(decode(student, rng, scripts, eos, max_len=12, model=Chain), 4)
        for row, script in zip(rows, scripts, strict=True):
            expected = list(script[1 : script.index(eos)])
            start = 1 if row[1 : 1 + len(expected)] == expected else 0
            ended = [*expected, eos, eos]
            if eos != 11 and row[start : start + len(ended)] != ended:
                continue  # another test asks for any number as eos
            assert row[start : start + len(expected)] == expected, (
                "A row isn't even right up to its first eos; look at the other tests first."
            )
            assert set(row[start + len(expected) :]) <= {eos}, (
                "Where its eos should be, or after it, a row goes on with other tokens; eos is "
                f"{eos} here. The model knows no end, so you have to remember which rows have "
                "ended, and fill them up."
            )
    empty = drawn_scripts(rng, [[9, 11, 4, 6]], eos=11)
    (row,) = rows_of(decode(student, rng, empty, eos=11, max_len=5, model=Chain), 1)
    assert 11 in row and set(row[1:]) <= {11}, (
        "Where the first token after bos is eos, the text is empty: bos, and after it eos alone. "
        "Yours is another."
    )


@points(1, ARGUMENTS)
def test_decoding_ends_at_max_len_without_eos(student: Student, rng: np.random.Generator) -> None:
    """A text without end has exactly max_len tokens, whatever max_len is: bos, then the model's.

    No model has to read more than max_len - 1 tokens, not even one whose text ends before.
    """
    short = drawn_scripts(rng, [[10, 2, 4, 11, 6]], eos=11)
    (row,) = rows_of(decode(student, rng, short, 11, 7, Chain, s=1, reads=6), 1)
    assert len(row) <= 7, f"With max_len = 7 you return {len(row)} tokens."
    (text,) = drawn_scripts(rng, [[10, 2, 4, 6, 8, 2, 4, 6, 8]], eos=11)
    for max_len in (7, 2, 1, 70):
        script = [text[0], *(9 * list(text[1:]))][: max_len + 2]
        result = decode(
            student, rng, [script], eos=11, max_len=max_len, model=Chain, s=1, reads=max_len - 1
        )
        (row,) = rows_of(result, 1)
        expect.that(
            len(row) <= max_len,
            f"The model finds no end here, and max_len is {max_len}: you return {len(row)} "
            "tokens. bos already takes one of the max_len places.",
            "decode-one-too-many",
        )
        assert row[1:] == script[1:max_len] or row == script[1:max_len], (
            f"The model finds no end here, and max_len is {max_len}: a row should hold bos and "
            f"{max_len - 1} more, all of them the model's. Yours doesn't."
        )


@points(1, ARGUMENTS)
def test_any_tokens_can_be_bos_and_eos(student: Student, rng: np.random.Generator) -> None:
    """Where eos is 0 and bos is 3, or 0 a word and eos 5, the text is the model's all the same.

    What comes after eos has a test of its own; here it is the same kind whatever number eos is.
    """
    ends = dict[int, bool]()
    for text, eos in (([3, 7, 1, 11, 2, 0, 5, 4], 0), ([12, 4, 0, 11, 1, 6, 2, 5, 7], 5)):
        (script,) = drawn_scripts(rng, [text], eos, keeps=USUAL)
        src, known = drawn_sources(rng, [script], 4)
        lent = Model(Chain(known, drawn_noise(rng, 11)))
        result = student.greedy_decode(lent, src, bos=script[0], eos=eos, max_len=11)
        assert are_written(result, [script], eos=eos), (
            f"With bos = {script[0]} and eos = {eos} the text isn't the model's. If earlier tests "
            "fail as well, start there. Otherwise, are the arguments `bos` and `eos` used "
            "everywhere?"
        )
        (row,) = rows_of(result, 1)
        assert row[0] in script[:2], (  # that bos is missing is another test's
            f"With bos = {script[0]} your row begins with {row[0]}. Any token can be the one that "
            "begins a text: what do you take for it?"
        )
        ends[eos] = eos not in row or set(row[row.index(eos) :]) == {eos}
    assert ends[0] or not ends[5], (
        "With eos = 5 a row of yours ends, and with eos = 0 it goes on. To Python 0 is as good as "
        "False, but here it is a token like any other. Where do you ask about eos?"
    )
