"""What learners get wrong in Encoder: scale."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import POSITIONS

MISCONCEPTIONS = (
    Variant(
        tag="encoder-not-scaled",
        description="Doesn't multiply the embeddings by √d_model",
        message="Your embeddings meet the positions just as they are looked up, while the paper "
        "makes them larger first (§3.4). What stands beside `embedding` in the exercise's picture?",
        edits={" * math.sqrt(self.d_model)": ""},
    ),
    Variant(
        tag="encoder-scaled-by-d-model",
        description="Multiplies the embeddings by d_model instead of its root",
        message="Your embeddings drown the positions: they are multiplied by all of d_model. The "
        "factor of §3.4 grows more slowly. Look at what stands around d_model in the formula.",
        edits={"math.sqrt(self.d_model)": "self.d_model"},
    ),
    Variant(
        tag="encoder-scale-divides",
        description="Divides the embeddings by √d_model",
        message="You make the embeddings smaller, and the positions drown them. Attention divides "
        "its scores by a root, but here the root is there for the opposite. What sign stands "
        "before it in the exercise's picture?",
        edits={"* math.sqrt": "/ math.sqrt"},
    ),
    Variant(
        tag="encoder-positions-scaled-too",
        description="Multiplies the sum of embeddings and positions by √d_model",
        message="You multiply the sum, so the positions grow along with the embeddings, and "
        "between the two nothing has changed. Only one of the two should be made larger.",
        edits={POSITIONS: f"{POSITIONS} * math.sqrt(self.d_model)"},
    ),
    Variant(
        tag="encoder-positions-scaled-alone",
        description="Multiplies the positions by √d_model instead of the embeddings",
        message="You make the positions larger instead of the embeddings, and they drown what the "
        "tokens mean. The paper does it the other way round. What does the root stand next to in "
        "the exercise's picture?",
        edits={
            " * math.sqrt(self.d_model)": "",
            "x = x + positional_encoding(seq, self.d_model)": (
                "x = x + positional_encoding(seq, self.d_model) * math.sqrt(self.d_model)"
            ),
        },
    ),
    Variant(
        tag="encoder-scaled-by-length",
        description="Multiplies the embeddings by the root of the sequence's length",
        message="Your embeddings grow with the length of the sentence, so the same token weighs "
        "more in a long one. The root in the picture is that of a size of the *model*.",
        edits={"math.sqrt(self.d_model)": "math.sqrt(seq)"},
    ),
    Variant(
        tag="encoder-scaled-by-vocabulary",
        description="Multiplies the embeddings by the root of the vocabulary's size",
        message="Your embeddings grow with the number of words that there are, so a model with a "
        "larger vocabulary would drown its positions. `embedding.weight` has a row for each word "
        "and a column for each feature: which of the two numbers stands under the exercise's root?",
        edits={"math.sqrt(self.d_model)": "math.sqrt(self.embedding.num_embeddings)"},
    ),
    Variant(
        tag="encoder-scaled-for-the-default",
        description="Multiplies the embeddings by √128, whatever d_model is",
        message="Your embeddings are multiplied by 11.3, the root of 128, whatever d_model is. 128 "
        "is the default, and the caller may ask for another width. Which name holds it?",
        edits={"math.sqrt(self.d_model)": "math.sqrt(128)"},
    ),
    Variant(
        tag="encoder-input-normalised",
        description="Normalises the sum before the layers",
        message="You normalise what goes into the layers. Some later models do that; here each "
        "block normalises by itself, and dropout alone follows the sum. Which line is too many?",
        edits={"self.dropout(x)": "F.layer_norm(self.dropout(x), x.shape[-1:])"},
    ),
    Variant(
        tag="encoder-input-normalised-by-a-layer",
        description="Normalises the sum before the layers, by a layer norm of its own",
        message="You normalise what goes into the layers. Some later models do that; here each "
        "block normalises by itself, and dropout alone follows the sum. Which line is too many?",
        edits={
            "        self.dropout = nn.Dropout(dropout)\n": (
                "        self.dropout = nn.Dropout(dropout)\n"
                "        self.norm = nn.LayerNorm(d_model)\n"
            ),
            "self.dropout(x)": "self.dropout(self.norm(x))",
        },
    ),
)

SUM = WorkedExample(
    """
An encoder without layers, so that only its input is left: embeddings and positions. There are four
features, and the token's embedding holds 0.5 in each. The same token comes twice.

The embedding is multiplied by √4 = 2, and becomes 2 · 0.5 = 1 in each feature. The positions are
added as they are.

The row of position 0 is (0, 1, 0, 1), so the first token becomes 1 + 0 = 1 and 1 + 1 = 2, twice.

The row of position 1 is (0.841, 0.54, 0.01, 1), so the second becomes 1 + 0.841 = 1.841,
1 + 0.54 = 1.54, 1 + 0.01 = 1.01 and 1 + 1 = 2.

Take the positions away from your own rows. What is left should be the same number everywhere.
Which is it, and how did 0.5 become that?""",
    """\
encoder = Encoder(3, d_model=4, n_heads=1, d_ff=4, n_layers=0, dropout=0.0)
torch.nn.init.constant_(encoder.embedding.weight, 0.5)
encoder(torch.tensor([[0, 0]]))""",
    [[[1.0, 2.0, 1.0, 2.0], [1.84147, 1.5403, 1.01, 2.0]]],
)
EXAMPLES = (SUM,)
