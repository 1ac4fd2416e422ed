"""Train the small language model that the notebooks ship, and write its weights.

    python -m solutions.text_model.train [STEPS]

It reads the English of `pydoc_data.topics`, which comes with Python (its text differs between
Python's versions, so a model that is trained anew differs too; it is under the PSF License). The
model is two of hw2's encoder blocks under a causal mask, 166,016 parameters; each number is kept in
6 bits, and each row of a matrix has a scale.
"""

from __future__ import annotations

import itertools
import json
import re
import sys
import zlib
from collections import Counter
from pathlib import Path
from pydoc_data.topics import topics

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from solutions.text_model.training import fit

HERE = Path(__file__).resolve().parent
N_TOKENS, D_MODEL, N_HEADS, D_FF, N_LAYERS, LENGTH = 512, 64, 4, 256, 2, 64
BATCH = 32
LARGEST = 31  # of the numbers that are kept: 6 bits hold -32 to 31
WORDS = re.compile(r" ?[A-Za-z]+| ?[0-9]| ?[^A-Za-z0-9\s]|\s")


def prose() -> str:
    """Return the paragraphs of English in Python's own help, one a line."""
    paragraphs = []
    for topic in topics.values():
        for paragraph in re.split(r"\n\s*\n", topic):
            if "::=" in paragraph or re.search(r"^ *>>>|^[+|]", paragraph, re.MULTILINE):
                continue  # grammar, examples, tables
            line = re.sub(r"\[\d+\]|[*\"`_\\]|\.\. ", "", " ".join(paragraph.split()))
            line = line.replace("\u2019", "'").encode("ascii", "ignore").decode()
            letters = sum(c.isalpha() or c == " " for c in line)
            if len(line) > 40 and letters > 0.8 * len(line):
                paragraphs.append(line)
    return "\n".join(sorted(set(paragraphs), key=hash_of))


def hash_of(paragraph: str) -> int:
    """Return a number that mixes the paragraphs, the same in each run."""
    return zlib.crc32(paragraph.encode())


def learn_tokens(text: str) -> list[str]:
    """Return the vocabulary of byte-pair encoding: all characters, then merges in their order."""
    words = Counter(WORDS.findall(text))
    split = {word: list(word) for word in words}
    tokens = sorted(set(text) | {chr(c) for c in range(32, 127)})
    while len(tokens) < N_TOKENS:
        pairs: Counter[tuple[str, str]] = Counter()
        for word, parts in split.items():
            for pair in itertools.pairwise(parts):
                pairs[pair] += words[word]
        best = max(pairs, key=lambda pair: (pairs[pair], pair))
        tokens.append("".join(best))
        for parts in split.values():
            merge(parts, best)
    return tokens


def merge(parts: list[str], pair: tuple[str, str]) -> None:
    """Join each neighbouring `pair` among the parts of a word."""
    at = 0
    while at < len(parts) - 1:
        if (parts[at], parts[at + 1]) == pair:
            parts[at : at + 2] = ["".join(pair)]
        at += 1


def encode(text: str, tokens: list[str]) -> list[int]:
    """Return the numbers of a text's tokens: of all neighbours, the earliest merge comes first."""
    rank = {token: number for number, token in enumerate(tokens)}
    known: dict[str, list[int]] = {}
    for word in set(WORDS.findall(text)):
        parts = [c for c in word if c in rank]
        while True:
            joined = [(rank.get(a + b, N_TOKENS), a, b) for a, b in itertools.pairwise(parts)]
            if not joined or min(joined)[0] == N_TOKENS:
                break
            merge(parts, min(joined)[1:])
        known[word] = [rank[part] for part in parts]
    return [number for word in WORDS.findall(text) for number in known[word]]


class TextModel(nn.Module):
    """Predict the next token: tokens (batch, n) to logits (batch, n, N_TOKENS), n up to LENGTH."""

    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(N_TOKENS, D_MODEL)
        nn.init.normal_(self.embedding.weight, std=D_MODEL**-0.5)  # or it would drown the positions
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(D_MODEL, N_HEADS, D_FF, dropout=0.1, batch_first=True)
            for _ in range(N_LAYERS)
        )
        self.head = nn.Linear(D_MODEL, N_TOKENS)
        angle = torch.arange(LENGTH)[:, None] / 10_000 ** (torch.arange(0, D_MODEL, 2) / D_MODEL)
        self.positions = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)

    def forward(self, tokens: Tensor) -> Tensor:
        n = tokens.shape[1]
        x = self.embedding(tokens) * D_MODEL**0.5 + self.positions[:n]
        hidden = torch.ones(n, n).triu(1).bool()
        for layer in self.layers:
            x = layer(x, src_mask=hidden)
        return self.head(x)


def train(numbers: Tensor, held_out: Tensor, steps: int) -> TextModel:
    """Return a model trained on `numbers`; print what it costs on both, in bits a token."""
    model = TextModel()

    def loss_of_a_batch() -> Tensor:
        starts = torch.randint(len(numbers) - LENGTH, (BATCH,))
        window = numbers[starts[:, None] + torch.arange(LENGTH + 1)]
        return functional.cross_entropy(
            model(window[:, :-1]).flatten(0, 1), window[:, 1:].flatten()
        )

    def tell(loss: float) -> str:
        return f"{loss / np.log(2):.3f}, held out {bits(model, held_out):.3f}"

    fit(model, loss_of_a_batch, steps, weight_decay=0.05, every=500, tell=tell)
    return model


@torch.no_grad()
def bits(model: TextModel, numbers: Tensor) -> float:
    """Return the bits a token that a model needs for a text it has not seen."""
    model.eval()
    windows = numbers[: len(numbers) // (LENGTH + 1) * (LENGTH + 1)].view(-1, LENGTH + 1)
    loss = functional.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
    model.train()
    return float(loss / np.log(2))


def written(model: nn.Module) -> tuple[dict[str, list[int]], bytes, bytes]:
    """Return the shapes by name, the scale of each row as float16, and all numbers, 6 bits each."""
    shapes, scales, numbers = {}, [], []
    for name, value in model.state_dict().items():
        shapes[name] = list(value.shape)
        rows = value.detach().double().numpy().reshape(-1, value.shape[-1])
        scales.append((np.abs(rows).max(axis=1) / LARGEST).astype("<f2"))
        numbers.append(np.round(rows / scales[-1][:, None]).clip(-LARGEST, LARGEST).ravel())
    whole = np.concatenate(numbers).astype(int) + LARGEST + 1
    bits = (whole[:, None] >> np.arange(5, -1, -1)) & 1
    return shapes, np.concatenate(scales).tobytes(), np.packbits(bits.astype(np.uint8)).tobytes()


if __name__ == "__main__":
    torch.manual_seed(2017)
    text = prose()
    tokens = learn_tokens(text)
    numbers = torch.tensor(encode(text, tokens))
    print(f"{len(text):,} characters, {len(numbers):,} tokens")
    cut = int(0.95 * len(numbers))
    model = train(numbers[:cut], numbers[cut:], int(sys.argv[1]) if sys.argv[1:] else 9_000)
    shapes, scales, content = written(model)
    (HERE / "tokens.json").write_text(json.dumps({"tokens": tokens, "shapes": shapes}), "utf-8")
    (HERE / "scales.bin").write_bytes(scales)
    (HERE / "weights.bin").write_bytes(content)
