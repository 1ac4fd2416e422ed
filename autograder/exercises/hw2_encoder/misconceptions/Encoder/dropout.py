"""What learners get wrong in Encoder: dropout."""

from __future__ import annotations

from autograder.testing import Variant

from .reference import POSITIONS

MISCONCEPTIONS = (
    Variant(
        tag="encoder-no-dropout",
        description="No dropout between the input and the layers",
        message="In train mode, the sum of embeddings and positions goes into the layers as it is. "
        "The blocks drop out inside, but the exercise has dropout before them, too.",
        edits={"self.dropout(x)": "x"},
    ),
    Variant(
        tag="encoder-dropout-before-the-positions",
        description="Drops out of the embeddings alone, before the positions are added",
        message="The embeddings drop out, and the positions are added to what is left, so the "
        "positions always come through whole. In the exercise, dropout follows the sum.",
        edits={
            "        x = self.dropout(x)\n": "",
            f"x + {POSITIONS}": f"self.dropout(x) + {POSITIONS}",
        },
    ),
    Variant(
        tag="encoder-dropout-of-the-positions-alone",
        description="Drops out of the positions alone, before they are added",
        message="The positions drop out and are added to embeddings that are whole, so the "
        "embeddings always come through. In the exercise, dropout follows the sum.",
        edits={
            "        x = self.dropout(x)\n": "",
            f"x + {POSITIONS}": f"x + self.dropout({POSITIONS})",
        },
    ),
    Variant(
        tag="encoder-dropout-at-the-end",
        description="Drops out what layers return as well",
        message="In train mode, what the last layer returns drops out as well, or what each does. "
        "The layers have dropout of their own; the encoder's comes before them. Which of yours is "
        "one too many?",
        edits={"return x": "return self.dropout(x)"},
    ),
    Variant(
        tag="encoder-dropout-at-the-end-alone",
        description="Drops out the result of the layers instead of their input",
        message="In train mode, what the last layer returns drops out, while its input goes in as "
        "it is. The encoder's dropout comes before the layers. Where does yours stand?",
        edits={"        x = self.dropout(x)\n": "", "return x": "return self.dropout(x)"},
    ),
    Variant(
        tag="encoder-dropout-half-by-default",
        description="Has the default dropout=0.5",
        message="Unless told otherwise, half of what goes into the layers drops out, where a "
        "tenth should. Compare the first lines of your `__init__` with the exercise, default by "
        "default.",
        edits={"dropout=0.1": "dropout=0.5"},
    ),
    Variant(
        tag="encoder-dropout-argument-not-used",
        description="Drops out at dropout=0.0: a fixed rate, or the layers aren't told",
        message="Even with `dropout=0.0` something drops out in train mode. The rate is the "
        "caller's to choose. Does `nn.Dropout` get it from the argument, and do the layers get it "
        "as well?",
        edits={"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
    ),
    Variant(
        tag="encoder-dropout-not-passed-on",
        description="Doesn't pass dropout on to the layers",
        message="Your layers drop out at the rate that EncoderBlock takes by default, whatever "
        "`dropout` is. The rate is the caller's to choose. Which of your arguments do you hand on?",
        edits={
            "EncoderBlock(d_model, n_heads, d_ff, dropout)": "EncoderBlock(d_model, n_heads, d_ff)"
        },
    ),
    Variant(
        tag="encoder-dropout-always-a-tenth",
        description="Drops out a tenth, in eval mode and at dropout=0.0 as well",
        message="Something drops out of your sum in eval mode as well, and with `dropout=0.0`. The "
        "rate is the caller's to choose, and dropout is for training alone. What does yours know "
        "of the rate, and of the mode?",
        edits={"self.dropout(x)": "F.dropout(x, 0.1)"},
    ),
    Variant(
        tag="encoder-dropout-in-eval-mode",
        description="Drops out the sum in eval mode as well",
        message="In eval mode, two runs on the same input differ. Dropout is for training alone. "
        "`nn.Dropout` knows the mode if it is made in `__init__`, `F.dropout` only if it is told. "
        "Does yours know?",
        edits={"self.dropout(x)": "F.dropout(x, self.dropout.p)"},
    ),
    Variant(
        tag="encoder-dropout-not-scaled",
        description="What doesn't drop out isn't divided by 1 - p",
        message="What drops out of the sum is lost, and the rest stays as it is, so in train mode "
        "the layers get less on average than in eval mode. Dropout makes up for that: `nn.Dropout` "
        "also changes the numbers that it keeps.",
        edits={
            "self.dropout(x)": (
                "x * (torch.rand(x.shape) >= self.dropout.p) if self.training else x"
            )
        },
    ),
    Variant(
        tag="encoder-dropout-in-two-parts",
        description="Drops out embeddings and positions each by itself, or more than once",
        message="In train mode a feature of your sum may be lost in part: more than one draw "
        "decides about it. In the exercise, dropout follows the sum, all of it at once. "
        "How many things drop out before your first layer?",
        edits={
            "        x = self.dropout(x)\n": "",
            f"x + {POSITIONS}": f"self.dropout(x) + self.dropout({POSITIONS})",
        },
    ),
    Variant(
        tag="encoder-dropout-keeps-the-rate",
        description="Takes dropout for the share that is kept: nn.Dropout(1 - dropout)",
        message="Your encoder loses the share that it should keep: with `dropout=0.0`, nothing is "
        "left of the sum of embeddings and positions, and unless told otherwise, nine tenths are "
        "lost. Look up what the `p` of `nn.Dropout` stands for.",
        edits={"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
    ),
    Variant(
        tag="encoder-dropout-in-groups",
        description="Loses many numbers at once, such as whole tokens (nn.Dropout1d)",
        message="In train mode, the sum of embeddings and positions isn't lost number by number: "
        "many go or stay together, such as all features of a token. Dropout decides about each "
        "entry by itself.",
        edits={"nn.Dropout(": "nn.Dropout1d("},
    ),
)
