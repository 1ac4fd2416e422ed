"""Train the small encoder whose words change their meaning by context, and write its weights.

    python -m solutions.word_senses.train [STEPS]

It fills blanks in the sentences that the patterns in `shared/word_senses.py` give, as BERT does (Devlin
et al. 2018, §3.1). It is hw2's encoder: two post-norm blocks, and scores of a hidden word are products
with the embedding. Each number is one of 63, each row of a matrix has a scale, and zlib packs them; the
table of positions, which isn't trained, is kept as float32.
"""

from __future__ import annotations

import random
import sys
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from solutions.text_model.training import fit

HERE = Path(__file__).resolve().parent
D_MODEL, N_HEADS, D_FF, N_LAYERS, LENGTH = 32, 4, 64, 2, 16
BATCH = 64
BLANK, HIDDEN = 1, 0.25  # the number of the blank, and the part of the words that are hidden
NOISE = 0.2  # of the hidden words, this part is shown as another or as itself
LARGEST = 31  # of the numbers that are kept


class Reader(nn.Module):
    """Score each word at each place: tokens (batch, n) to logits (batch, n, n_words)."""

    def __init__(self, n_words: int) -> None:
        super().__init__()
        self.embedding = nn.Embedding(n_words, D_MODEL)
        nn.init.normal_(self.embedding.weight, std=D_MODEL**-0.5)  # or it would drown the positions
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(D_MODEL, N_HEADS, D_FF, dropout=0.05, batch_first=True)
            for _ in range(N_LAYERS)
        )
        self.bias = nn.Parameter(torch.zeros(n_words))
        angle = torch.arange(LENGTH)[:, None] / 10_000 ** (torch.arange(0, D_MODEL, 2) / D_MODEL)
        self.positions = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)

    def forward(self, tokens: Tensor) -> Tensor:
        x = self.embedding(tokens) * D_MODEL**0.5 + self.positions[: tokens.shape[1]]
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=tokens == 0)
        return x @ self.embedding.weight.T + self.bias


def hide(tokens: Tensor) -> tuple[Tensor, Tensor]:
    """Return tokens of which some are hidden, and what is to be guessed, -100 elsewhere."""
    hidden = (torch.rand(tokens.shape) < HIDDEN) & (tokens != 0)
    kind = torch.rand(tokens.shape)
    shown = torch.where(hidden & (kind > NOISE), BLANK, tokens)
    other = torch.randint(2, 1 + int(tokens.max()), tokens.shape)
    shown = torch.where(hidden & (kind < NOISE / 2), other, shown)
    return shown, torch.where(hidden, tokens, -100)


def train(sentences: Tensor, n_words: int, steps: int) -> Reader:
    """Return a reader that has learned to fill the blanks; print its loss as it goes."""
    model = Reader(n_words)

    def loss_of_a_batch() -> Tensor:
        shown, wanted = hide(sentences[torch.randint(len(sentences), (BATCH,))])
        return functional.cross_entropy(model(shown).flatten(0, 1), wanted.flatten())

    fit(model, loss_of_a_batch, steps, 0.02, every=1000, tell=lambda loss: f"{loss:.3f}")
    return model


def written(model: Reader) -> bytes:
    """Return all numbers in the order of the state: for each row its float16 scale, then int8."""
    parts = []
    for value in model.state_dict().values():
        rows = value.detach().double().numpy().reshape(-1, value.shape[-1])
        scales = (np.abs(rows).max(axis=1) / LARGEST).clip(1e-7).astype("<f2")
        whole = np.round(rows / scales[:, None].astype(float)).clip(-LARGEST, LARGEST)
        parts += [scales.tobytes(), whole.astype(np.int8).tobytes()]
    return zlib.compress(b"".join([*parts, model.positions.numpy().astype("<f4").tobytes()]), 9)


if __name__ == "__main__":
    torch.manual_seed(2017)
    torch.set_num_threads(1)
    rng = random.Random(2017)  # noqa: S311 - for sentences
    shared: dict[str, Any] = {}
    exec((HERE.parent / "shared/word_senses.py").read_text("utf-8"), shared)  # noqa: S102 - ours
    lists, patterns = shared["read_patterns"](shared["WORD_SENSES_PATTERNS"])
    openings = ["", "", "", *lists["opening"]]  # so that places vary
    many = [
        [*rng.choice(openings).split(), *shared["fill"](pattern, lists, rng).split()]
        for pattern in patterns
        for _ in range(300)
    ]
    words = shared["words_of"](lists, patterns)
    numbers = {word: number for number, word in enumerate(words)}
    rows = [[numbers[word] for word in sentence] for sentence in many]
    longest = max(map(len, rows))
    tokens = torch.tensor([row + [0] * (longest - len(row)) for row in rows])
    print(f"{len(patterns)} patterns, {len(words)} words, at most {longest} in a sentence")
    model = train(tokens, len(words), int(sys.argv[1]) if sys.argv[1:] else 15_000)
    (HERE / "weights.bin").write_bytes(written(model))
