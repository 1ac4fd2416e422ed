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
from collections import Counter
from pathlib import Path

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional

from solutions.shared.english import english_manual
from solutions.shared.torch_text_model import TorchTextModel
from solutions.text_model.training import fit

HERE = Path(__file__).resolve().parent
N_TOKENS, LENGTH, BATCH = 512, 64, 32
LARGEST = 31  # of the numbers that are kept: 6 bits hold -32 to 31
WORDS = re.compile(r" ?[A-Za-z]+| ?[0-9]| ?[^A-Za-z0-9\s]|\s")


def learn_tokens(text: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the vocabulary of byte-pair encoding, and of which of its tokens each word consists.

    The vocabulary is all characters, then merges in their order.
    """
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
    return tokens, split


def merge(parts: list[str], pair: tuple[str, str]) -> None:
    """Join each neighbouring `pair` among the parts of a word."""
    at = 0
    while at < len(parts) - 1:
        if (parts[at], parts[at + 1]) == pair:
            parts[at : at + 2] = ["".join(pair)]
        at += 1


def train(numbers: Tensor, held_out: Tensor, steps: int) -> TorchTextModel:
    """Return a model trained on `numbers`; print what it costs on both, in bits a token."""
    model = TorchTextModel(dropout=0.1)

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
def bits(model: TorchTextModel, numbers: Tensor) -> float:
    """Return the bits a token that a model needs for a text it has not seen."""
    model.eval()
    windows = numbers[: len(numbers) // (LENGTH + 1) * (LENGTH + 1)].view(-1, LENGTH + 1)
    loss = functional.cross_entropy(model(windows[:, :-1]).flatten(0, 1), windows[:, 1:].flatten())
    model.train()
    return float(loss / np.log(2))


def written(model: TorchTextModel) -> tuple[dict[str, list[int]], bytes, bytes]:
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
    text = english_manual()
    tokens, split = learn_tokens(text)
    rank = {token: number for number, token in enumerate(tokens)}
    words = [split[word] for word in WORDS.findall(text)]
    numbers = torch.tensor([rank[part] for parts in words for part in parts])
    print(f"{len(text):,} characters, {len(numbers):,} tokens")
    cut = int(0.95 * len(numbers))
    model = train(numbers[:cut], numbers[cut:], int(sys.argv[1]) if sys.argv[1:] else 9_000)
    shapes, scales, content = written(model)
    (HERE / "tokens.json").write_text(json.dumps({"tokens": tokens, "shapes": shapes}), "utf-8")
    (HERE / "scales.bin").write_bytes(scales)
    (HERE / "weights.bin").write_bytes(content)
