import base64
import itertools
import json
import re

import numpy as np


class TextModel:
    """A small language model: it has read Python's own manual, and guesses which token comes next.

    166,016 parameters: an embedding, two blocks as in figure 1 of Vaswani et al. 2017, each with
    four heads, where a token looks at itself and those before it, and a linear layer for the
    scores of the 512 tokens. `weights` holds all of it, float32, under the names that PyTorch's
    `nn.MultiheadAttention`, `nn.Linear` and `nn.LayerNorm` give to their parts.
    """

    d_model, n_heads, d_ff, n_layers, length = 64, 4, 256, 2, 64
    words = re.compile(r" ?[A-Za-z]+| ?[0-9]| ?[^A-Za-z0-9\s]|\s")

    def __init__(self):
        described = json.loads(base64.b64decode(TEXT_MODEL_TOKENS))
        scales = np.frombuffer(base64.b64decode(TEXT_MODEL_SCALES), "<f2").astype(np.float32)
        # six bits a number, so one character each: from -31 to 31, and each row has a scale
        bits = np.unpackbits(np.frombuffer(base64.b64decode(TEXT_MODEL_WEIGHTS), np.uint8))
        numbers = bits.reshape(-1, 6) @ np.array([32, 16, 8, 4, 2, 1], np.float32) - 32
        self.tokens, self.weights, at, row = described["tokens"], {}, 0, 0
        self.ranks = {token: number for number, token in enumerate(self.tokens)}
        for name, shape in described["shapes"].items():
            size, height = int(np.prod(shape)), int(np.prod(shape[:-1]))
            rows = numbers[at : at + size].reshape(height, -1)
            self.weights[name] = (rows * scales[row : row + height, None]).reshape(shape)
            at, row = at + size, row + height

    def encode(self, text):
        """Return the numbers of a text's tokens: of two neighbours, the most usual join first."""
        numbers = []
        for word in self.words.findall(text):
            parts = [letter for letter in word if letter in self.ranks]
            while len(parts) > 1:
                joined = [a + b for a, b in itertools.pairwise(parts)]
                best = min(joined, key=lambda part: self.ranks.get(part, len(self.ranks)))
                if best not in self.ranks:
                    break
                at = joined.index(best)
                parts[at : at + 2] = [best]
            numbers += [self.ranks[part] for part in parts]
        return numbers

    def decode(self, numbers):
        """Return the text of tokens."""
        return "".join(self.tokens[number] for number in numbers)

    def shown(self, number):
        """Return a token as pictures show it: `·` is a space, `↵` a new line."""
        return self.tokens[number].replace(" ", "·").replace("\n", "↵")

    def read(self, numbers, attention=None):
        """Read tokens one by one; yield the scores of the next token, (512,), after each.

        attention: a function of Q (1, 16), K and V (t, 16) to the weights (1, t) and the context
        (1, 16). It is asked for each head, with the keys and values of all tokens up to now. Without
        one, the model uses its own.
        """
        attention = attention or own_attention
        kept = [([], []) for _ in range(self.n_layers)]  # keys and values, by layer
        for place, number in enumerate(numbers):
            x = self.weights["embedding.weight"][number] * self.d_model**0.5
            x = x + own_position(place, self.d_model)
            for layer, (keys, values) in enumerate(kept):
                x = self._block(f"layers.{layer}.", x, keys, values, attention)
            yield self._linear("head.", x)

    def _block(self, layer, x, keys, values, attention):
        three = self.weights[layer + "self_attn.in_proj_weight"] @ x
        three = three + self.weights[layer + "self_attn.in_proj_bias"]
        query, key, value = three.reshape(3, self.n_heads, -1)
        keys.append(key)
        values.append(value)
        every = zip(query, np.stack(keys, axis=1), np.stack(values, axis=1), strict=True)
        heads = [np.ravel(attention(q[None], k, v)[1]) for q, k, v in every]
        x = self._norm(
            layer + "norm1.", x + self._linear(layer + "self_attn.out_proj.", np.concatenate(heads))
        )
        hidden = np.maximum(self._linear(layer + "linear1.", x), 0)
        return self._norm(layer + "norm2.", x + self._linear(layer + "linear2.", hidden))

    def _linear(self, name, x):
        return self.weights[name + "weight"] @ x + self.weights[name + "bias"]

    def _norm(self, name, x):
        x = (x - x.mean()) / np.sqrt(x.var() + 1e-5)
        return self.weights[name + "weight"] * x + self.weights[name + "bias"]

    def write_on(self, text, attention=None, n=40, temperature=0.4, seed=0):
        """Return `text` and the `n` tokens that the model draws after it, as one text.

        The model sees at most the last 64 tokens. temperature: the scores are divided by it.
        """
        rng, numbers = np.random.default_rng(seed), self.encode(text) or self.encode("The")
        for _ in range(n):
            *_, scores = self.read(numbers[-self.length :], attention)
            shares = own_shares(scores, temperature)
            numbers.append(int(rng.choice(len(shares), p=shares)))
        return self.decode(numbers)

    def surprise(self, text, attention=None):
        """Return the tokens of a text, and the bits that each but the first cost the model."""
        numbers, bits = self.encode(text)[: self.length], []
        for scores, after in zip(self.read(numbers, attention), numbers[1:], strict=False):
            bits.append(float(-np.log2(own_shares(scores)[after])))
        return [self.tokens[number] for number in numbers], bits


TEXT_MODEL_TOKENS = """
BASE64_OF text_model/tokens.json
"""
TEXT_MODEL_SCALES = """
BASE64_OF text_model/scales.bin
"""
TEXT_MODEL_WEIGHTS = """
BASE64_OF text_model/weights.bin
"""

# The model's own softmax, attention and positions, packed: you will write them yourself.
exec(  # noqa: S102 - it is the course's own
    base64.b64decode("""
BASE64_OF text_model/packed.py
""")
)
