"""What learners get wrong in EncoderBlock: dropout."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="block-no-dropout",
        description="What the sublayers return doesn't drop out",
        message="In train mode, what your two sublayers return goes into the sums as it is. (The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place.) The "
        "formula for a sublayer has three parts around Sublayer(x): which is missing in yours?",
        edits={
            "(d_model, n_heads, dropout,": "(d_model, n_heads,",
            "        attended = self.dropout(attended)\n": "",
            "        transformed = self.dropout(transformed)\n": "",
        },
    ),
    Variant(
        tag="block-dropout-zero-by-default",
        description="Has the default dropout=0.0",
        message="Unless told otherwise, nothing in your block drops out, where a tenth should. "
        "Compare the first line of your `__init__` with the exercise, default by default.",
        edits={"dropout=0.1": "dropout=0.0"},
    ),
    Variant(
        tag="block-no-dropout-after-attention",
        description="What attention returns doesn't drop out",
        message="What attention returns goes into the sum as it is, in train mode too. The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place. The "
        "formula for a sublayer shows where Dropout belongs.",
        edits={"self.dropout(attended)": "attended"},
    ),
    Variant(
        tag="block-no-dropout-after-feed-forward",
        description="What the feed-forward network returns doesn't drop out",
        message="What linear2 returns goes into the sum as it is, in train mode too. Dropout among "
        "the hidden features, if you have it, is another place. The formula for a sublayer shows "
        "where Dropout belongs.",
        edits={"self.dropout(transformed)": "transformed"},
    ),
    Variant(
        tag="block-dropout-rate-fixed",
        description="Draws at random even with dropout=0.0: nn.Dropout with a rate of its own",
        message="In train mode two runs of your block differ even with `dropout=0.0`: something is "
        "drawn at random all the same. How much drops out is the caller's to choose, and nothing "
        "is a choice, too. What in your block draws, and where does its rate come from?",
        edits={"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
    ),
    Variant(
        tag="block-dropout-in-eval-mode",
        description="Drops out in eval mode as well",
        message="In eval mode, two runs on the same input differ. Dropout is for training alone. "
        "`nn.Dropout` knows the mode if it is made in `__init__`, `F.dropout` only if it is told. "
        "Does yours know?",
        edits={
            "self.dropout(attended)": "F.dropout(attended, self.dropout.p)",
            "self.dropout(transformed)": "F.dropout(transformed, self.dropout.p)",
        },
    ),
    Variant(
        tag="block-dropout-told-nothing",
        description="Calls F.dropout(x): half drops out, whatever the rate and the mode",
        message="Your block loses numbers in eval mode as well, and with `dropout=0.0`. "
        "`F.dropout` knows neither your rate nor the mode, unless it is told both; `nn.Dropout` "
        "learns of them where it is made. Which of the two do you use, and what is it told?",
        edits={"self.dropout(": "F.dropout("},
    ),
    Variant(
        tag="block-dropout-not-scaled",
        description="What doesn't drop out isn't divided by 1 - p",
        message="What drops out of your sublayers is lost, and the rest stays as it is, so in "
        "train mode the sums are smaller on average than in eval mode. Dropout makes up for that: "
        "`nn.Dropout` also changes the numbers that it keeps.",
        edits={
            f"self.dropout({name})": (
                f"{name} * (torch.rand({name}.shape) >= self.dropout.p)"
                f" if self.training else {name}"
            )
            for name in ("attended", "transformed")
        },
    ),
    Variant(
        tag="block-dropout-takes-the-residual",
        description="Drops out more than what the sublayers return: the residual, too",
        message="In train mode the residual loses numbers as well: what drops out isn't a "
        "sublayer's output alone. The formula has three parts around Sublayer(x): which of them "
        "comes first, and what does it act on?",
        edits={
            "        attended, _": "        x = self.dropout(x)\n        attended, _",
            "normed = self.norm1(total)": "normed = self.dropout(self.norm1(total))",
        },
    ),
    Variant(
        tag="block-dropout-after-the-norm",
        description="Drops out the result of norm1, not what the sublayers return",
        message="You drop out what norm1 returns, so the residual loses numbers as well, and "
        "nothing of what linear2 returns drops out. The formula has three parts around "
        "Sublayer(x). Read it from the inside out.",
        edits={
            "        attended = self.dropout(attended)\n": "",
            "self.norm1(total)": "self.dropout(self.norm1(total))",
            "        transformed = self.dropout(transformed)\n": "",
        },
    ),
    Variant(
        tag="block-dropout-after-the-second-norm",
        description="Drops out the result of norm2, not what linear2 returns",
        message="You drop out what norm2 returns, so the block hands on vectors with holes in "
        "them, residual and all. The formula has three parts around Sublayer(x). Read it from the "
        "inside out.",
        edits={
            "        transformed = self.dropout(transformed)\n": "",
            "self.norm2(total)": "self.dropout(self.norm2(total))",
        },
    ),
    Variant(
        tag="block-dropout-after-both-norms",
        description="Drops out the results of both norms",
        message="You drop out what the norms return, so the residuals lose numbers as well. The "
        "formula has three parts around Sublayer(x). Read it from the inside out.",
        edits={
            "        attended = self.dropout(attended)\n": "",
            "self.norm1(total)": "self.dropout(self.norm1(total))",
            "        transformed = self.dropout(transformed)\n": "",
            "self.norm2(total)": "self.dropout(self.norm2(total))",
        },
    ),
    Variant(
        tag="block-dropout-on-the-sums",
        description="Drops out the sums of residual and sublayer",
        message="You drop out the sums, so the residuals lose numbers as well. The formula has "
        "three parts around Sublayer(x): which of them comes first, and what does it act on?",
        edits={
            "        attended = self.dropout(attended)\n": "",
            "self.norm1(total)": "self.norm1(self.dropout(total))",
            "        transformed = self.dropout(transformed)\n": "",
            "self.norm2(total)": "self.norm2(self.dropout(total))",
        },
    ),
    Variant(
        tag="block-dropout-half",
        description="Drops out a half by default (nn.Dropout() or dropout=0.5)",
        message="Unless told otherwise, half of what your sublayers return drops out, where a "
        "tenth should. Which rate do you use if nobody names one, and where does it come from?",
        edits={"dropout=0.1": "dropout=0.5"},
    ),
    Variant(
        tag="block-dropout-keeps-the-rate",
        description="Takes dropout for the share that is kept: nn.Dropout(1 - dropout)",
        message="Your block loses the share that it should keep: with `dropout=0.0`, nothing is "
        "left of what the sublayers return, and unless told otherwise, nine tenths are lost. Look "
        "up what the `p` of `nn.Dropout` stands for.",
        edits={"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
    ),
    Variant(
        tag="block-dropout-in-groups",
        description="Loses many numbers at once, such as whole tokens (nn.Dropout1d)",
        message="In train mode, what the sublayers return isn't lost number by number: many go or "
        "stay together, such as all features of a token. Dropout decides about each entry by "
        "itself.",
        edits={"nn.Dropout(": "nn.Dropout1d("},
    ),
)
