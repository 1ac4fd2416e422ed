"""What learners get wrong in Encoder."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import (
    dropout_in_eval_mode,
    nothing_returned,
    other_names,
)
from autograder.misconceptions import Variant

REFERENCE = """\
class Encoder(nn.Module):
    def __init__(
        self, vocab_size, d_model=128, n_heads=8, d_ff=512, n_layers=2, max_len=512, dropout=0.1
    ):
        super().__init__()
        self.d_model, self.max_len = d_model, max_len
        self.embedding = nn.Embedding(vocab_size, d_model)
        blocks = [EncoderBlock(d_model, n_heads, d_ff, dropout) for _ in range(n_layers)]
        self.layers = nn.ModuleList(blocks)
        self.dropout = nn.Dropout(dropout)

    def forward(self, tokens, key_padding_mask=None):
        batch, seq = tokens.shape
        if seq > self.max_len:
            raise ValueError("this sequence is too long")
        x = self.embedding(tokens) * math.sqrt(self.d_model)
        x = x + positional_encoding(seq, self.d_model)
        x = self.dropout(x)
        for layer in self.layers:
            x = layer(x, key_padding_mask)
        return x
"""

_POSITIONS = "positional_encoding(seq, self.d_model)"

WRONG_SCALE = (
    Variant(
        tag="encoder-not-scaled",
        description="Doesn't multiply the embeddings by √d_model",
        message="Your embeddings meet the positions just as they are looked up, while the paper "
        "makes them larger first (§3.4). Read step 1 of the exercise from left to right: which "
        "factor is missing?",
        edits={" * math.sqrt(self.d_model)": ""},
    ),
    Variant(
        tag="encoder-scaled-by-d-model",
        description="Multiplies the embeddings by d_model instead of its root",
        message="Your embeddings drown the positions: they are multiplied by all of d_model. The "
        "factor of §3.4 grows more slowly. What stands around d_model in the formula?",
        edits={"math.sqrt(self.d_model)": "self.d_model"},
    ),
    Variant(
        tag="encoder-scale-divides",
        description="Divides the embeddings by √d_model",
        message="You make the embeddings smaller, and the positions drown them. Attention divides "
        "its scores by a root, but here the root is there for the opposite. Read step 1 of the "
        "exercise once more: which sign stands before it?",
        edits={"* math.sqrt": "/ math.sqrt"},
    ),
    Variant(
        tag="encoder-positions-scaled-too",
        description="Multiplies the sum of embeddings and positions by √d_model",
        message="You multiply the sum, so the positions grow along with the embeddings, and "
        "between the two nothing has changed. Only one of the two should be made larger. When "
        "does each come in?",
        source=REFERENCE.replace(_POSITIONS, f"{_POSITIONS} * math.sqrt(self.d_model)"),
    ),
)

WRONG_POSITIONS = (
    Variant(
        tag="encoder-no-positions",
        description="Adds no positional encoding",
        message="Nothing tells your encoder where a token stands: *dog bites man* and *man bites "
        "dog* are all the same to it. Attention sees which tokens there are, not their order. "
        "Which exercise of yours should have its say here?",
        edits={f"x + {_POSITIONS}": "x"},
    ),
    Variant(
        tag="encoder-positions-twice",
        description="Adds the positional encoding twice",
        message="The positions count double in your sum, as if they were added in two places. "
        "Follow x from the embedding to the first layer: where does a position come in?",
        edits={f"x + {_POSITIONS}": f"x + 2 * {_POSITIONS}"},
    ),
    Variant(
        tag="encoder-positions-over-the-batch",
        description="Positions along the batch: all tokens of a sentence get the same",
        message="All tokens of a sentence get the same position in your encoder, and each sentence "
        "another one: the table runs along the batch. Which axis of (batch, seq, d_model) says "
        "where a token stands?",
        edits={_POSITIONS: "positional_encoding(batch, self.d_model).unsqueeze(1)"},
    ),
    Variant(
        tag="encoder-positions-from-one",
        description="Takes the rows of the table from 1 on",
        message="Your first token gets the second row of the table, and so on. Positions count "
        "from 0 here as well. Where does your slice of the table begin?",
        edits={_POSITIONS: "positional_encoding(seq + 1, self.d_model)[1:]"},
    ),
    Variant(
        tag="encoder-positions-in-every-layer",
        description="Adds the positional encoding again before every layer",
        message="You add the positions anew before every layer. They need to be told only once: "
        "the residuals carry them on. Where does the paper's figure 1 let them in?",
        source=REFERENCE.replace(f"x + {_POSITIONS}", "x").replace(
            "layer(x, key", f"layer(x + {_POSITIONS}, key"
        ),
    ),
)

WRONG_LAYERS = (
    Variant(
        tag="encoder-one-block-shared",
        description="The same block n_layers times: [block] * n_layers",
        message="All your layers are one and the same block, so they share their weights. "
        "`[block] * n` makes a list of n names for one thing. How often is EncoderBlock(…) called "
        "in your `__init__`?",
        edits={"nn.ModuleList(blocks)": "nn.ModuleList(blocks[:1] * n_layers)"},
    ),
    Variant(
        tag="encoder-first-layer-repeated",
        description="Applies layers[0] n_layers times",
        message="You make several layers but apply the first one again and again. Each has weights "
        "of its own and should have its turn. What does your loop count, and what does it call?",
        source=REFERENCE.replace("layer(x, key", "self.layers[0](x, key"),
    ),
    Variant(
        tag="encoder-layers-not-applied",
        description="Returns the sum of embeddings and positions: no layer is applied",
        message="What you return is what should go into the layers: they are made, but x never "
        "passes through. An encoder's vectors should know their context. Where does the loop over "
        "the layers belong?",
        source=REFERENCE.replace("x = layer(x, key_padding_mask)", "pass"),
    ),
    Variant(
        tag="encoder-only-last-layer-counts",
        description="Gives every layer the same input, so the last one alone counts",
        message="Every layer of yours gets the same input, so only what the last one makes of it "
        "is left. A layer should go on where the one before has stopped. Which name holds that, "
        "and do you use it?",
        source=REFERENCE.replace("x = layer(x", "y = layer(x").replace("return x", "return y"),
    ),
    Variant(
        tag="encoder-returns-in-the-loop",
        description="Returns after the first layer: return stands inside the loop",
        message="Your encoder stops after the first layer, however many there are. A `return` ends "
        "the loop it stands in. How far is yours indented?",
        source=REFERENCE.replace("        return x", "            return x"),
    ),
    Variant(
        tag="encoder-norm-at-the-end",
        description="Ends with one more layer norm",
        message="Your encoder ends with one more layer norm. Pre-norm models need it; each block "
        "here ends with a norm already. Which line comes after your last layer?",
        source=REFERENCE.replace("return x", "return F.layer_norm(x, x.shape[-1:])"),
    ),
)

WRONG_PADDING = (
    Variant(
        tag="encoder-padding-ignored",
        description="Doesn't pass key_padding_mask on to the layers",
        message="Your encoder takes a `key_padding_mask`, but real tokens still look at the "
        "padding: the mask never reaches the blocks. What does `forward` of your EncoderBlock "
        "take besides x?",
        edits={"(x, key_padding_mask)": "(x)"},
    ),
    Variant(
        tag="encoder-padding-inverted",
        description="Inverts key_padding_mask",
        message="In your encoder, tokens look at the padding and at nothing else. This mask "
        "follows torch's convention, in which True means *ignore this token*, and the blocks "
        "expect the same. What happens to it on the way?",
        edits={
            "(x, key_padding_mask)": "(x, None if key_padding_mask is None else ~key_padding_mask)"
        },
    ),
    Variant(
        tag="encoder-padding-in-first-layer-only",
        description="Passes key_padding_mask to the first layer alone",
        message="Your first layer hides the padding, the others look at it again. No layer knows "
        "what another was told. Who else needs the mask?",
        source=REFERENCE.replace(
            "(x, key_padding_mask)", "(x, key_padding_mask if layer is self.layers[0] else None)"
        ),
    ),
)

WRONG_LENGTH = (
    Variant(
        tag="encoder-length-not-checked",
        description="Accepts sequences longer than max_len",
        message="Your encoder takes sequences of any length. `max_len` is a promise to whoever "
        "uses it, and the exercise says what should happen beyond. Where in `forward` do you look "
        "at the length?",
        edits={"if seq > self.max_len:": "if False:"},
    ),
    Variant(
        tag="encoder-length-off-by-one",
        description="Refuses a sequence of exactly max_len tokens",
        message="A sequence of exactly max_len tokens is refused, though it is the *longest one "
        "allowed*. Which comparison lets the equal case through?",
        source=REFERENCE.replace("seq > self", "seq >= self"),
    ),
    Variant(
        tag="encoder-length-asserted",
        description="Refuses longer sequences by an AssertionError",
        message="You do refuse a sequence that is too long, but by an `assert`. A caller who wants "
        "to catch this needs the error that the exercise names. Which statement throws an error "
        "of your choice?",
        source=REFERENCE.replace("raise ValueError(", "raise AssertionError("),
    ),
)

WRONG_MODULE = (
    Variant(
        tag="encoder-no-dropout",
        description="No dropout between the input and the layers",
        message="In train mode, the sum of embeddings and positions goes into the layers as it is. "
        "The blocks drop out inside, but step 2 of the exercise comes before them. What does it "
        "say?",
        edits={"self.dropout(x)": "x"},
    ),
    dropout_in_eval_mode("encoder", REFERENCE.replace("self.dropout(x)", "F.dropout(x, 0.1)")),
    nothing_returned("encoder", REFERENCE.replace("return x", "x")),
    other_names("encoder", "layers", REFERENCE.replace("self.layers", "self.blocks")),
)

MISCONCEPTIONS = (
    *WRONG_SCALE,
    *WRONG_POSITIONS,
    *WRONG_LAYERS,
    *WRONG_PADDING,
    *WRONG_LENGTH,
    *WRONG_MODULE,
)
