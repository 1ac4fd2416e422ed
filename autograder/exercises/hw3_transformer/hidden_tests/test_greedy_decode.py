"""Hidden tests of `greedy_decode`, with models that live here and whose words are known.

A scripted model knows one text for each source. As long as the target read so far is the beginning
of that text, it finds the text's next token likeliest; once off the script it talks nonsense, which
depends on all that it has read. So it makes no difference how the student asks, provided the model
reads what it should.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from autograder.testing import Model, Student, expect, points

VOCAB = 13

Script = Sequence[int]


@dataclass(frozen=True)
class Scripted:
    """Texts by the first token of the source; each begins with bos and may go on after eos."""

    scripts: Mapping[int, Script]
    noise: torch.Tensor  # (VOCAB, max_len - 1, VOCAB): by the source's first token and the place

    def __call__(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Return logits (batch, t, VOCAB), all negative; the token that is meant leads narrowly."""
        assert tgt.dim() == 2 and src.dim() == 2 and len(src) == len(tgt), (
            "the model takes src (batch, s) and tgt (batch, t)"
        )
        assert 1 <= tgt.shape[1] <= self.noise.shape[1], (
            f"the model was asked to read {tgt.shape[1]} target tokens, where max_len - 1 are the "
            "most and bos is the least"
        )
        logits = self.noise[src[:, 0], : tgt.shape[1]]
        for row, (source, text) in enumerate(zip(src.tolist(), tgt.tolist(), strict=True)):
            for place in range(len(text)):
                logits[row, place, self._next(source[0], text[: place + 1])] = -4.5
        return logits

    def _next(self, first: int, read: list[int]) -> int:
        script = self.scripts[first]
        on_script = len(read) < len(script) and read == list(script[: len(read)])
        return script[len(read)] if on_script else _nonsense(first, read)


def _nonsense(first: int, read: Sequence[int]) -> int:
    return sum((place + 2) * token for place, token in enumerate([*read, first])) % VOCAB


def decode(
    student: Student,
    rng: np.random.Generator,
    scripts: Sequence[Script],
    eos: int,
    max_len: int,
) -> tuple[torch.Tensor, torch.Tensor]:
    """Let the student write each of the texts; return the sources and what came back.

    That has to be a tensor of tokens, a row a source, no wider than max_len.
    """
    src = torch.from_numpy(rng.integers(VOCAB, size=(len(scripts), 4)))
    src[:, 0] = torch.from_numpy(rng.permutation(VOCAB)[: len(scripts)])
    by_source = dict(zip(src[:, 0].tolist(), scripts, strict=True))
    noise = torch.from_numpy(rng.uniform(-9, -5, (VOCAB, max_len - 1, VOCAB))).float()
    model = Model(Scripted(by_source, noise))
    result: Any = student.greedy_decode(model, src, scripts[0][0], eos, max_len)
    width = result.shape[1] if hasattr(result, "shape") and len(result.shape) == 2 else max_len
    expect.array(
        result, (len(scripts), width), "tensor", "Return (batch, width), one row a source."
    )
    assert width <= max_len, "You return more than max_len tokens; bos is one of them."
    return src, result


def texts(result: torch.Tensor, eos: int) -> list[list[int]]:
    """Return each row up to and including its first eos."""
    rows: list[list[int]] = result.tolist()
    return [row[: row.index(eos) + 1] if eos in row else row for row in rows]


@points(1)
def test_a_text_is_written_from_bos_to_eos(student: Student, rng: np.random.Generator) -> None:
    """One source gets its text: bos, then always the likeliest token, up to eos."""
    script = [10, 4, 7, 4, 2, 11, 3, 3, 3]
    _, result = decode(student, rng, [script], eos=11, max_len=9)
    assert result[0, 0] == 10, "The row doesn't begin with bos."
    assert texts(result, eos=11) == [script[:6]], (
        "The text isn't the model's. Each step asks the model with all that is written so far, bos "
        "included, and takes the likeliest token (over the vocabulary) at the *last* position."
    )


@points(1)
def test_each_source_gets_a_text_of_its_own(student: Student, rng: np.random.Generator) -> None:
    """In a batch, every row is written for its own source; here all end at the same time."""
    scripts = [
        [10, 1, 5, 6, 11, 2],
        [10, 8, 8, 0, 11, 2],
        [10, 5, 1, 9, 11, 2],
        [10, 1, 8, 9, 11, 2],
    ]
    _, result = decode(student, rng, scripts, eos=11, max_len=8)
    assert texts(result, eos=11) == [script[:5] for script in scripts], (
        "In a batch, some row is not what the model says for its source. Does each row get its own "
        "likeliest token, and in its own row?"
    )


@points(1)
def test_rows_that_need_longer_are_written_to_their_end(
    student: Student, rng: np.random.Generator
) -> None:
    """Where rows end at different times, the longest is complete as well."""
    scripts = [[9, 3, 11, 4, 4, 4, 4], [9, 1, 2, 3, 4, 11, 0], [9, 5, 5, 11, 7, 7, 7]]
    _, result = decode(student, rng, scripts, eos=11, max_len=10)
    assert texts(result, eos=11)[1] == [9, 1, 2, 3, 4, 11], (
        "While other rows of the batch have ended already, the longest one isn't written as the "
        "model would. Decoding goes on until *every* row has its eos."
    )


@points(1)
def test_after_eos_comes_nothing_but_eos(student: Student, rng: np.random.Generator) -> None:
    """A row that has ended is filled up with eos, whatever the model would go on to say."""
    scripts = [[9, 3, 11, 4, 4, 4, 4, 4], [9, 1, 2, 3, 4, 6, 11, 0], [9, 5, 11, 11, 7, 11, 7, 7]]
    _, result = decode(student, rng, scripts, eos=11, max_len=12)
    for row, script in zip(result.tolist(), scripts, strict=True):
        written = script[: script.index(11) + 1]
        assert row[: len(written)] == written, (
            "A row isn't even right up to its first eos; look at the other tests first."
        )
        assert set(row[len(written) :]) <= {11}, (
            "After its first eos a row goes on with other tokens. The model knows no end: it is up "
            "to you to remember which rows have ended, and to fill them up with eos."
        )


@points(1)
def test_decoding_ends_at_max_len_without_eos(student: Student, rng: np.random.Generator) -> None:
    """A text without end has exactly max_len tokens: bos, then the model's, to the last."""
    scripts = [[10, 2, 4, 6, 8, 2, 4, 6, 8], [10, 1, 3, 5, 7, 9, 1, 3, 5]]
    for max_len in (7, 2):
        _, result = decode(student, rng, scripts, eos=11, max_len=max_len)
        assert result.tolist() == [script[:max_len] for script in scripts], (
            f"The model finds no end here, and max_len is {max_len}: each row should hold bos and "
            f"{max_len - 1} more, all of them the model's. Yours doesn't."
        )


@points(1)
def test_any_tokens_can_be_bos_and_eos(student: Student, rng: np.random.Generator) -> None:
    """Also where eos is 0 and bos is 3, tokens come back as int64, and the source is unchanged."""
    scripts = [[3, 7, 1, 2, 0, 5, 5], [3, 11, 10, 9, 8, 0, 5], [3, 0, 6, 6, 6, 6, 6]]
    _, result = decode(student, rng, scripts, eos=0, max_len=8)
    assert not student.inputs_changed, "You change the source. Make new tensors instead."
    assert result.dtype == torch.int64, (
        f"Tokens should come back as int64, for they are indices; yours are {result.dtype}."
    )
    assert texts(result, eos=0) == [[3, 7, 1, 2, 0], [3, 11, 10, 9, 8, 0], [3, 0]], (
        "With bos = 3 and eos = 0 the texts aren't the model's. If earlier tests fail as well, "
        "start there. Else: are the arguments `bos` and `eos` used everywhere?"
    )
