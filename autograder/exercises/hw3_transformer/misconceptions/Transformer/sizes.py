"""What learners get wrong in Transformer: sizes."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="transformer-two-layers-always",
        description="Makes two layers whatever n_layers says",
        message="Your model has two layers whatever n_layers says: with more or fewer asked for, "
        "it stays as large as it was. Where is a number written that should be a name?",
        edits={"range(n_layers)": "range(2)"},
        pairs=False,
    ),
    Variant(
        tag="transformer-d-ff-forgotten",
        description="Doesn't hand d_ff on: torch's default of 2048",
        message="Whatever d_ff says, your feed-forward networks have the size that torch gives "
        "them by default, which is far larger. Which arguments do your layers get, and in which "
        "order do they expect them?",
        edits={
            "d_model, n_heads, d_ff, dropout, batch": "d_model, n_heads, dropout=dropout, batch"
        },
    ),
    Variant(
        tag="transformer-dropout-forgotten",
        description="Doesn't hand dropout on: torch's layers drop out a tenth by default",
        message="In train mode your model drops out a tenth, though dropout is 0.0: torch's layers "
        "have a default of their own. So small a model learns more slowly for it. What do your "
        "layers get as their fourth argument?",
        edits={"d_ff, dropout, batch_first=True": "d_ff, batch_first=True"},
    ),
    Variant(
        tag="transformer-max-len-ignored",
        description="Makes a table of positions shorter than max_len",
        message="Your table of positions has a length of its own, and longer sequences don't find "
        "a row in it. Which argument says how long sequences may get?",
        edits={"positional_encoding(max_len, d_model)": "positional_encoding(8, d_model)"},
    ),
)
