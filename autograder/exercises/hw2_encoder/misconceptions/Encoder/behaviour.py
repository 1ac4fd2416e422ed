"""What learners get wrong in Encoder: gradients, inputs, modes, and what is kept between calls."""

from __future__ import annotations

from autograder.testing import Variant

from ... import recurring
from .reference import POSITIONS

DROPOUT = "self.dropout = nn.Dropout(dropout)"
EMBEDDED = "self.embedding(tokens) *"

MISCONCEPTIONS = (
    Variant(
        tag="encoder-gradient-stopped",
        description="Stops the gradient (detach, no_grad), or has a layer without use",
        message="No gradient reaches some of what your encoder should learn, whatever the values "
        "are. Either it isn't used at all, or something between it and the result stops gradients. "
        "Look for calls, or a `with`, that can do that.",
        edits={EMBEDDED: "self.embedding(tokens).detach() *"},
    ),
    Variant(
        tag="encoder-trains-too-much",
        description="Trains more than embedding and layers, such as the positions",
        message="Besides embedding and layers, your encoder trains numbers of its own. If they "
        "are sines and cosines, those are known beforehand and should stay as they are. Which "
        "parameters do you make that the exercise doesn't name?",
        edits={
            DROPOUT: (
                f"{DROPOUT}\n        sinusoids = positional_encoding(max_len, d_model)"
                "\n        self.table = nn.Parameter(sinusoids)"
            ),
            POSITIONS: "self.table[:seq]",
        },
    ),
    Variant(
        tag="encoder-layers-frozen",
        description="Trains fewer numbers than embedding and layers have",
        message="Your encoder trains fewer numbers than embedding and layers should have. PyTorch "
        "trains what is a parameter of the module and isn't frozen, and counts what stands there "
        "under two names once. Print the shape of each parameter and its `requires_grad`, and look "
        "for what is missing.",
        edits={DROPOUT: f"{DROPOUT}\n        self.embedding.requires_grad_(False)"},
    ),
    Variant(
        tag="encoder-padding-index",
        description="Makes the embedding with padding_idx: that token never learns",
        message="One of your tokens never learns: no gradient reaches its embedding. What is "
        "padding the caller says by a mask; no number means it by itself, and each is a word like "
        "any other. Which number does your encoder take for padding?",
        edits={
            "nn.Embedding(vocab_size, d_model)": (
                "nn.Embedding(vocab_size, d_model, padding_idx=0)"
            )
        },
    ),
    Variant(
        tag="encoder-input-overwritten",
        description="Writes into tokens or into the mask",
        message="After a call, what was passed to your encoder isn't what it was: you write into "
        "an argument, or into something that shares its memory. The caller may still need it. "
        "Which of your lines changes a tensor instead of making a new one?",
        edits={
            "        x = self.embedding": (
                "        if key_padding_mask is not None:\n"
                "            tokens[key_padding_mask] = 0\n        x = self.embedding"
            )
        },
    ),
    Variant(
        tag="encoder-padding-hidden-in-eval-mode-alone",
        description="Uses key_padding_mask in eval mode only",
        message="In eval mode your encoder hides padding, in train mode it doesn't, so a model "
        "would learn to rely on what is taken from it later. The mask has nothing to do with the "
        "mode. Where does yours ask for it?",
        edits={
            "(x, key_padding_mask)": "(x, None if self.training else key_padding_mask)",
        },
    ),
    Variant(
        tag="encoder-padding-hidden-in-train-mode-alone",
        description="Uses key_padding_mask in train mode only",
        message="In train mode your encoder hides padding, in eval mode it doesn't, so a model "
        "would look at what it never learnt to deal with. The mask has nothing to do with the "
        "mode. Where does yours ask for it?",
        edits={
            "(x, key_padding_mask)": "(x, key_padding_mask if self.training else None)",
        },
    ),
    Variant(
        tag="encoder-squeezed",
        description="Squeezes its result: a batch of one, or one token, loses an axis",
        message="With a batch of one, or a sentence of one token, an axis is missing from your "
        "result: (batch, seq, d_model) should come out, whatever the sizes. Which call takes away "
        "every axis of length 1?",
        edits={"return x": "return x.squeeze()"},
    ),
    Variant(
        tag="encoder-table-of-the-first-call",
        description="Keeps the positions of the first call: later, longer ones fail",
        message="Your encoder keeps the positions that its first call needed, and a longer "
        "sentence that comes later finds too few of them. Sentences come in any order. A table "
        "must suffice for all lengths that are allowed.",
        edits={
            DROPOUT: f"{DROPOUT}\n        self.table = None",
            f"x = x + {POSITIONS}": (
                f"if self.table is None:\n            self.table = {POSITIONS}\n"
                "        x = x + self.table[:seq]"
            ),
        },
    ),
    Variant(
        tag="encoder-positions-in-double-precision",
        description="Adds positions in float64: the layers refuse the sum",
        message="Your positions are in double precision, and so is their sum with the embeddings; "
        "the layers' weights are in single precision, and PyTorch doesn't mix the two. The "
        "exercise says which dtype `positional_encoding` returns.",
        edits={POSITIONS: f"{POSITIONS}.double()"},
    ),
    recurring.keeping(
        tag="encoder-result-kept",
        description="Returns the result of the first call of each shape again",
        edits={
            "return x": "return self.kept.setdefault(tokens.shape, x)",
        },
    ),
)
