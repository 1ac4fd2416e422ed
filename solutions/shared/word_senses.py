import base64
import json
import random
import re

import numpy as np
import torch
from torch import nn


class WordSenses:
    """A small encoder that has learned to guess hidden words in short sentences.

    It has the shape of the encoder that this notebook builds: d_model 32, 4 heads, d_ff 64, 2 layers,
    embedding times √d_model plus positions. `weights` holds all of it, float32, by the names of the
    exercises; `positions` is its table of positions, and `patterns` are what it learned from.
    """

    d_model, n_heads, d_ff, n_layers, length = 32, 4, 64, 2, 16
    blank = "___"  # stands for a hidden word, and for a word that it doesn't know

    def __init__(self):
        self.lists, self.patterns = read_patterns(base64.b64decode(WORD_SENSES_TEXT).decode())
        described = json.loads(base64.b64decode(WORD_SENSES_SHAPES))
        self.words, content, at = described["words"], base64.b64decode(WORD_SENSES_WEIGHTS), 0
        self.numbers, arrays = {word: n for n, word in enumerate(self.words)}, {}
        for name, shape in described["shapes"].items():  # rows of int8, each with a scale
            width = shape[-1]
            height = int(np.prod(shape[:-1]))
            scales = np.frombuffer(content, "<f4", height, at)
            rows = np.frombuffer(content, np.int8, height * width, at + 4 * height)
            arrays[name] = torch.tensor(
                (scales[:, None] * rows.reshape(height, width)).reshape(shape)
            )
            at += 4 * height + height * width
        table = np.frombuffer(content, "<f4", self.length * self.d_model, at)
        self.positions = torch.tensor(table.reshape(self.length, self.d_model))
        self.bias = arrays.pop("bias")  # of the scores of hidden words
        self.weights = arrays
        self.layers = nn.ModuleList(
            nn.TransformerEncoderLayer(self.d_model, self.n_heads, self.d_ff, batch_first=True)
            for _ in range(self.n_layers)
        ).eval()
        inside = {name: value for name, value in arrays.items() if name.startswith("layers.")}
        self.layers.load_state_dict(
            {name.removeprefix("layers."): value for name, value in inside.items()}
        )
        self.ambiguous, self.average = [], {}
        self._meet_the_words()

    def numbers_of(self, sentences):
        """Return sentences as numbers (batch, seq) and which of them are padding (batch, seq)."""
        split = [self.split(sentence) for sentence in sentences]
        seq = max(map(len, split))
        unknown = self.numbers[self.blank]
        rows = [[self.numbers.get(word, unknown) for word in words] for words in split]
        tokens = torch.tensor([row + [0] * (seq - len(row)) for row in rows])
        return tokens, torch.tensor([[place >= len(row) for place in range(seq)] for row in rows])

    def split(self, sentence):
        """Return the words of a sentence, in small letters; no more than it can read."""
        return re.findall(r"[\w']+", sentence.lower())[: self.length]

    @torch.no_grad()
    def read(self, tokens, key_padding_mask=None):
        """Return a vector for each token in its context, with PyTorch's own layers."""
        x = self.embed(tokens)
        for layer in self.layers:
            x = layer(x, src_key_padding_mask=key_padding_mask)
        return x

    def embed(self, tokens):
        """Return the vectors that the layers start from."""
        table = self.weights["embedding.weight"] * self.d_model**0.5
        return table[tokens] + self.positions[: tokens.shape[1]]

    def vector(self, word, sentence, reader=None):
        """Return the vector that a reader makes of a word in a sentence; the reader may be yours."""
        tokens, padding = self.numbers_of([sentence])
        place = self.split(sentence).index(word)
        with torch.no_grad():
            return (reader or self.read)(tokens, key_padding_mask=padding)[0, place]

    def nearest(self, vector, but=(), n=5):
        """Return the `n` words whose average vectors point most the same way, and how much so."""
        words = [word for word in self.average if word not in but]
        means = torch.stack([self.average[word] for word in words])
        alike = nn.functional.cosine_similarity(means, vector[None])
        return [(words[at], alike[at].item()) for at in alike.argsort(descending=True)[:n]]

    def guesses(self, vector, n=5):
        """Return the `n` likeliest words for a vector that was read at a blank."""
        scores = self.weights["embedding.weight"] @ vector + self.bias
        shares = scores.softmax(dim=-1)
        return [(self.words[at], shares[at].item()) for at in shares.argsort(descending=True)[:n]]

    def quiz(self, reader=None):
        """Return how many words with two meanings a reader understands, and out of how many.

        Each stands in a sentence of each pattern that has a place for it, and is understood if it is
        nearest to a word that can stand there too.
        """
        rng, asked = random.Random(5), []  # noqa: S311 - for sentences
        for kind, words in self.lists.items():
            for pattern in self.patterns:
                for word in (
                    sorted(set(words) & set(self.ambiguous)) if f"{{{kind}}}" in pattern else ()
                ):
                    sentence = fill(pattern.replace(f"{{{kind}}}", word), self.lists, rng)
                    if self.split(sentence).count(word) == 1:
                        asked.append((word, sentence, words))
        tokens, padding = self.numbers_of([sentence for _, sentence, _ in asked])
        with torch.no_grad():
            vectors = (reader or self.read)(tokens, key_padding_mask=padding)
        right = 0
        for vector, row, (word, _, kin) in zip(vectors, tokens.tolist(), asked, strict=True):
            place = row.index(self.numbers[word])
            right += self.nearest(vector[place], but=[word], n=1)[0][0] in kin
        return right, len(asked)

    def _meet_the_words(self):
        """Find out which words have several senses, and the average vector of each of the others."""
        kinds = {}
        for kind, words in self.lists.items():
            for word in words:
                kinds.setdefault(word, []).append(kind)
        self.ambiguous = sorted(word for word, found in kinds.items() if len(found) > 1)
        rng = random.Random(0)  # noqa: S311 - for sentences
        sentences = [fill(pattern, self.lists, rng) for pattern in self.patterns for _ in range(12)]
        tokens, padding = self.numbers_of(sentences)
        vectors = self.read(tokens, padding)
        for number in tokens[~padding].unique().tolist():
            if len(kinds.get(self.words[number], ())) == 1:
                self.average[self.words[number]] = vectors[tokens == number].mean(dim=0)


def read_patterns(text):
    """Return the lists of words by name, and the patterns of sentences."""
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    lists = {}
    for line in lines:
        name, is_list, words = line.partition(": ")
        if is_list:
            lists[name] = [w.strip() for w in words.split("|")] if "|" in words else words.split()
    return lists, [line for line in lines if ": " not in line]


def fill(pattern, lists, rng):
    """Return a sentence of a pattern: each list in braces gives one of its words."""
    while "{" in pattern:
        before, _, rest = pattern.partition("{")
        name, _, after = rest.partition("}")
        pattern = before + rng.choice(lists[name]) + after
    return pattern


WORD_SENSES_TEXT = """
BASE64_OF word_senses/sentences.txt
"""
WORD_SENSES_SHAPES = """
BASE64_OF word_senses/words.json
"""
WORD_SENSES_WEIGHTS = """
BASE64_OF word_senses/weights.bin
"""
