"""What learners get wrong in Transformer: sizes."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-n-layers-without-effect",
        description="Equally many weights whatever n_layers says: fixed, or one layer for all",
        message="However many layers are asked for, your model has the same number of parameters "
        "to learn. There should be n_layers layers on each side, each with weights of its own. "
        "What does `n_layers` decide in your `__init__`, and are the layers that it makes "
        "different ones?",
        edits={"range(n_layers)": "range(2)"},
    ),
    Variant(
        tag="transformer-d-ff-forgotten",
        description="Doesn't hand d_ff on: torch's default of 2048",
        message="Whatever d_ff is, your model has the same number of parameters to learn. d_ff is "
        "the number of hidden features in the feed-forward network of every layer, and torch's "
        "layers have a default of their own for it. Check which arguments the layers get, and in "
        "which order.",
        edits={
            "d_model, n_heads, d_ff, dropout, batch": "d_model, n_heads, dropout=dropout, batch"
        },
    ),
    Variant(
        tag="transformer-d-ff-on-one-side",
        description="Hands d_ff to the layers of one side alone",
        message="With a larger `d_ff`, the layers of one side of your model get wider, and those "
        "of the other don't: they have a width of their own, such as the default of the layer "
        "that you took. `d_ff` is meant for every feed-forward network. Which layers don't get it "
        "from you?",
        edits={
            "TransformerDecoderLayer(d_model, n_heads, d_ff, dropout,": (
                "TransformerDecoderLayer(d_model, n_heads, dropout=dropout,"
            )
        },
    ),
    Variant(
        tag="transformer-dropout-forgotten",
        description="Doesn't hand dropout on: torch's layers drop out a tenth by default",
        message="Unless told otherwise, dropout is 0.0, and yet two runs of your model in train "
        "mode differ: something drops out. torch's layers have a default of their own, which is a "
        "tenth. Check the default in `__init__`, and which layers get the argument.",
        edits={"d_ff, dropout, batch_first=True": "d_ff, batch_first=True"},
    ),
    Variant(
        tag="transformer-max-len-ignored",
        description="Makes a table of positions shorter than max_len",
        message="Your table of positions has a length of its own, and longer sequences don't find "
        "enough rows in it. `max_len` says how long sequences may get.",
        edits={"positional_encoding(max_len, d_model)": "positional_encoding(8, d_model)"},
    ),
    Variant(
        tag="transformer-max-len-out-of-reach",
        description="Makes a table of max_len - 1 positions",
        message="Your table of positions has one row less than max_len, so a sequence of exactly "
        "max_len tokens finds too few. `max_len` is the longest that is allowed. How many rows "
        "does the last of its positions, counted from 0, need?",
        edits={
            "positional_encoding(max_len, d_model)": "positional_encoding(max_len - 1, d_model)"
        },
    ),
    Variant(
        tag="transformer-other-argument-names",
        description="The arguments of __init__ have other names",
        message="With its arguments in order your model can be made, and by the names in the "
        "exercise it can't: your `__init__` calls some argument something else. Compare its first "
        "lines with the exercise, name by name.",
        edits={"src_vocab": "src_vocab_size", "tgt_vocab": "tgt_vocab_size"},
    ),
)
