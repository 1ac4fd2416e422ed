"""What learners get wrong in EncoderBlock: module."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="block-weights-returned-too",
        description="Returns (result, weights) where the result alone is asked for",
        message="You return a pair. The next block expects a single tensor, shaped like x, so that "
        "blocks can be stacked.",
        edits={"attended, _ =": "attended, weights =", "return result": "return result, weights"},
    ),
    Variant(
        tag="block-four-heads-by-default",
        description="Has the default n_heads=4",
        message="Unless told otherwise, your block has four heads, where eight are asked for. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        edits={"n_heads=8": "n_heads=4"},
    ),
    Variant(
        tag="block-d-ff-of-the-paper",
        description="Has the default d_ff=2048",
        message="Unless told otherwise, your hidden layer has 2048 features, as in the paper. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        edits={"d_ff=512": "d_ff=2048"},
    ),
    Variant(
        tag="block-no-defaults",
        description="Has no defaults: every argument is required",
        message="`EncoderBlock()` should work without any argument, but yours insists on its "
        "sizes. Compare the first line of your `__init__` with the exercise: what stands behind "
        "each name?",
        edits={"d_model=128, n_heads=8, d_ff=512, dropout=0.1": "d_model, n_heads, d_ff, dropout"},
    ),
    Variant(
        tag="block-no-default-sizes",
        description="Has a default for dropout alone",
        message="`EncoderBlock()` should work without any argument, but yours insists on its "
        "sizes. Compare the first line of your `__init__` with the exercise: what stands behind "
        "each name?",
        edits={
            "d_model=128, n_heads=8, d_ff=512, dropout=0.1": "d_model, n_heads, d_ff, dropout=0.1"
        },
    ),
    Variant(
        tag="block-other-names-of-norms",
        description="Has no attribute norm1: another name",
        message="Your module has no attribute `norm1`, so we can't set its weights, and nothing "
        "else could be tested. How do the names in your `__init__` differ from those in the "
        "exercise?",
        edits={"self.norm": "self.layer_norm"},
    ),
    Variant(
        tag="block-other-names-of-layers",
        description="Has no attribute linear1: another name, or a FeedForward",
        message="Your module has no attribute `linear1`, so we can't set its weights, and nothing "
        "else could be tested. The block holds the two layers itself, as PyTorch's does. Compare "
        "the names in your `__init__` with those in the exercise.",
        edits={"self.linear": "self.fc"},
    ),
    Variant(
        tag="block-second-norm-never-made",
        description="Never makes norm2",
        message="Your module has no attribute `norm2`, so its weights can't be set, and nothing "
        "else could be tested. The picture has two norms. How many does `__init__` make, and do "
        "they hang on `self`?",
        edits={"        self.norm2 = nn.LayerNorm(d_model)\n": ""},
    ),
    Variant(
        tag="block-dropout-never-made",
        description="Uses self.dropout, which was never made",
        message="`forward` calls `self.dropout`, but `__init__` makes no such thing. A dropout "
        "layer should be told the rate, too.",
        edits={"        self.dropout = nn.Dropout(dropout)\n": ""},
    ),
    Variant(
        tag="block-first-token-alone",
        description="Returns the first token's vector alone",
        message="You return the first token alone, where all tokens should come out as they went "
        "in: (batch, seq, d_model). The next block needs every one of them. Which index is one "
        "too many?",
        edits={"return result": "return result[:, 0]"},
    ),
)
