"""Models that hidden tests lend to `greedy_decode`, and how to read what comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch

from autograder.testing import Model, Student, expect

VOCAB = 13
USUAL = (0, 1, 2, 3, 10, 11)  # what bos, eos and padding usually are, and here

Script = Sequence[int]


@dataclass(frozen=True)
class Scripted:
    """Texts by the first token of the source; each begins with bos and may go on after eos."""

    scripts: Mapping[int, Script]
    noise: torch.Tensor  # (VOCAB, places, VOCAB): by the source's first token and the place

    def stand_in(self) -> tuple[int, list[int]]:
        """Return what locked notes lend instead: how many tokens it knows, and those it says."""
        return VOCAB, sorted({token for script in self.scripts.values() for token in script})

    def __call__(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Return logits (batch, t, VOCAB), all negative; the token that is meant leads narrowly.

        The next one is so close behind that half precision doesn't tell them apart.
        """
        assert tgt.dim() == 2 and src.dim() == 2 and len(src) == len(tgt), (
            "the model takes src (batch, s) and tgt (batch, t), with a row of tgt for each of src, "
            f"and was given {tuple(src.shape)} and {tuple(tgt.shape)}"
        )
        assert 1 <= tgt.shape[1] <= self.noise.shape[1], (
            f"the model was asked to read {tgt.shape[1]} target tokens, where max_len - 1 are the "
            "most and bos is the least"
        )
        rows = zip(src[:, 0].tolist(), tgt.tolist(), strict=True)
        places = range(1, tgt.shape[1] + 1)
        next_ones = [self.next(first, row[:t]) for first, row in rows for t in places]
        meant = torch.tensor(next_ones, dtype=torch.int64).view(tgt.shape)
        # no two rows' best scores are equal
        leads = -4.5 + 0.4 * torch.arange(len(src), dtype=torch.float64) / len(src)
        logits = self.noise[src[:, 0], : tgt.shape[1]]
        for token, scores in (((meant - 1) % VOCAB, leads - 1e-3), (meant, leads)):
            of_all = scores.float()[:, None, None].expand(*meant.shape, 1)
            logits.scatter_(-1, token[..., None], of_all)
        return logits

    def next(self, first: int, read: list[int]) -> int:
        """Return the token that is likeliest after `read`, where the source begins with `first`."""
        script = self.scripts.get(first, ())
        on_script = len(read) < len(script) and read == list(script[: len(read)])
        return script[len(read)] if on_script else _nonsense(first, read)


@dataclass(frozen=True)
class Chain(Scripted):
    """Goes by the last token, which comes once in its script; a first token may be any.

    It leaves no doubt which token it means. A script goes on after its eos, and its eos isn't last.
    """

    def __call__(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Return the logits of `Scripted` with a larger lead."""
        logits = super().__call__(src, tgt)
        likeliest = logits.argmax(dim=-1, keepdim=True)
        return (logits - 90).scatter(-1, likeliest, -1.0)

    def next(self, first: int, read: list[int]) -> int:
        """Return the token that is likeliest after the last one read."""
        script = list(self.scripts.get(first, ()))
        place = script.index(read[-1]) if read[-1] in script else 0
        knows = place + 1 < len(script) and (place or len(read) == 1)
        return script[place + 1] if knows else _nonsense(first, read)


@dataclass(frozen=True)
class WholeSource(Scripted):
    """Knows a text for whole sources alone, and remembers one other that it was asked about."""

    whole: Sequence[Sequence[int]]
    other: list[list[int]] = field(default_factory=list)  # at most one: students may ask for ever

    def __call__(self, src: torch.Tensor, tgt: torch.Tensor) -> torch.Tensor:
        """Return the logits of `Scripted` for whole sources, and turn them around for others."""
        logits = super().__call__(src, tgt)
        sources = src.tolist()
        is_whole = [source in self.whole for source in sources]
        if not all(is_whole):
            self.other[:] = [sources[is_whole.index(False)]]
        return torch.where(torch.tensor(is_whole)[:, None, None], logits, logits.flip(-1))


def _nonsense(first: int, read: Sequence[int]) -> int:
    return sum((place + 2) * token for place, token in enumerate([*read, first])) % VOCAB


def drawn_scripts(
    rng: np.random.Generator, scripts: Sequence[Script], eos: int, keeps: Sequence[int] = (0,)
) -> list[Script]:
    """Draw other words for scripts, but for what is told to keep; different words stay different.

    The scripts in a test say what a text is like. What it says, nobody can know beforehand.
    """
    fixed = {scripts[0][0], eos, *keeps}
    words = [token for token in range(VOCAB) if token not in fixed]
    names = dict(zip(words, rng.permutation(words).tolist(), strict=True))
    return [[names.get(token, token) for token in script] for script in scripts]


def decode(
    student: Student,
    rng: np.random.Generator,
    scripts: Sequence[Script],
    eos: int,
    max_len: int,
    model: type[Scripted] = Scripted,
    s: int = 4,
    reads: int | None = None,
) -> Any:
    """Let the student write each of the texts, for sources of `s` tokens; return what came back.

    The model reads as many tokens as there are places, unless told how many it `reads` at most: one
    test alone asks for the bound of the contract.
    """
    src, texts = drawn_sources(rng, scripts, s)
    lent = Model(model(texts, drawn_noise(rng, max_len if reads is None else reads)))
    return student.greedy_decode(lent, src, scripts[0][0], eos, max_len)


def drawn_sources(
    rng: np.random.Generator, scripts: Sequence[Script], s: int
) -> tuple[torch.Tensor, dict[int, Script]]:
    """Draw a source of `s` tokens for each script; return them, and the scripts by first token.

    None begins with bos, or else the source would be a target by chance.
    """
    src = torch.from_numpy(rng.integers(VOCAB, size=(len(scripts), s)))
    firsts = [token for token in range(VOCAB) if token != scripts[0][0]]
    src[:, 0] = torch.from_numpy(rng.permutation(firsts)[: len(scripts)])
    return src, dict(zip(src[:, 0].tolist(), scripts, strict=True))


def drawn_noise(rng: np.random.Generator, places: int) -> torch.Tensor:
    """Draw logits (VOCAB, places, VOCAB) that are lower than that of a token that is meant."""
    return torch.from_numpy(rng.uniform(-9, -5, (VOCAB, places, VOCAB))).float()


def rows_of(result: Any, count: int) -> list[list[int]]:
    """Return the rows that came back, of which there have to be `count`.

    Lists will do, and so will rows that stand in one line: one test alone asks for the shape.
    """
    rows = result.tolist() if hasattr(result, "tolist") else result
    if isinstance(rows, int):
        rows = [rows]
    if isinstance(rows, list):
        rows = [row.tolist() if hasattr(row, "tolist") else row for row in rows]
        if rows and not any(isinstance(row, list) for row in rows) and len(rows) % count == 0:
            width = len(rows) // count
            rows = [rows[start : start + width] for start in range(0, len(rows), width)]
    if not (isinstance(rows, list) and all(isinstance(row, list) for row in rows)):
        expect.array(result, (count, 1), "tensor", "Return (batch, width), one row per source.")
    assert len(rows) == count, (
        f"The number of sources is {count}, and that of rows that come back is {len(rows)}."
    )
    return [[int(token) for token in row] for row in rows]


def words(row: Sequence[int], script: Script, eos: int) -> list[int]:
    """Return a row up to its first eos, without whatever it begins with in the place of bos."""
    ends = row.index(eos, 1) if eos in row[1:] else len(row)
    text = list(row[:ends])
    said = list(script[1 : script.index(eos)]) if eos in script else list(script[1:])
    return text if text == said else text[1:]


def are_written(result: Any, scripts: Sequence[Script], eos: int) -> bool:
    """Tell whether the words between bos and eos are those of the scripts, in each row."""
    rows = rows_of(result, len(scripts))
    return all(
        words(row, script, eos) == list(script[1 : script.index(eos)])
        for row, script in zip(rows, scripts, strict=True)
    )
