"""What learners get wrong in DecoderBlock: dropout."""

from __future__ import annotations

from autograder.testing import Variant

NAMES = ("attended", "found", "transformed")  # of what the sublayers return

MISCONCEPTIONS = (
    Variant(
        tag="decoder-no-dropout",
        description="What the sublayers return doesn't drop out",
        message="In train mode, what your sublayers return goes into the sums untouched. (The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place.) Where "
        "does the formula for a sublayer put Dropout?",
        edits={
            "        attended = self.dropout(attended)\n": "",
            "        found = self.dropout(found)\n": "",
            "        transformed = self.dropout(transformed)\n": "",
        },
    ),
    Variant(
        tag="decoder-dropout-rate-fixed",
        description="Doesn't use the argument dropout for nn.Dropout",
        message="Your block drops out even with `dropout=0.0`. The rate is the caller's to choose, "
        "and nothing is a choice, too. Which one does each of your dropouts get, and where does "
        "it come from?",
        edits={"nn.Dropout(dropout)": "nn.Dropout(0.1)"},
    ),
    Variant(
        tag="decoder-no-dropout-after-self-attention",
        description="What self-attention returns doesn't drop out",
        message="What self-attention returns goes into the sum untouched, even in train mode. (The "
        "`dropout` of nn.MultiheadAttention acts on its weights, which is another place.) The "
        "formula for a sublayer shows where Dropout belongs.",
        edits={"self.dropout(attended)": "attended"},
    ),
    Variant(
        tag="decoder-no-dropout-after-cross-attention",
        description="What cross-attention returns doesn't drop out",
        message="What cross-attention returns goes into the sum untouched, even in train mode. "
        "(The `dropout` of nn.MultiheadAttention acts on its weights, which is another place.) The "
        "formula for a sublayer shows where Dropout belongs.",
        edits={"self.dropout(found)": "found"},
    ),
    Variant(
        tag="decoder-no-dropout-after-feed-forward",
        description="What linear2 returns doesn't drop out",
        message="What linear2 returns goes into the sum untouched, even in train mode. Dropout "
        "among the hidden features, if you have it, is another place. The formula for a sublayer "
        "shows where Dropout belongs.",
        edits={"self.dropout(transformed)": "transformed"},
    ),
    Variant(
        tag="decoder-dropout-half",
        description="Drops out a half by default (nn.Dropout() or dropout=0.5)",
        message="Unless told otherwise, your block drops out half of what its sublayers return "
        "instead of a tenth. Which rate do you use by default, and where does it come from?",
        edits={"dropout=0.1": "dropout=0.5"},
    ),
    Variant(
        tag="decoder-dropout-in-eval-mode",
        description="Drops out in eval mode as well",
        message="In eval mode, two runs on the same input differ. Dropout is for training alone. "
        "`nn.Dropout` knows the mode if it is made in `__init__`, `F.dropout` only if it is told. "
        "Does yours know?",
        edits={f"self.dropout({name})": f"F.dropout({name}, self.dropout.p)" for name in NAMES},
    ),
    Variant(
        tag="decoder-dropout-told-nothing",
        description="Calls F.dropout(x): half drops out, whatever the rate and the mode",
        message="Your block loses numbers even in eval mode, and even with `dropout=0.0`. "
        "`F.dropout` knows neither the rate nor the mode unless it is told both; `nn.Dropout` is "
        "told its rate where it is made. Which of the two do you use, and what have you told it?",
        edits={"self.dropout(": "F.dropout("},
    ),
    Variant(
        tag="decoder-dropout-not-scaled",
        description="What doesn't drop out isn't divided by 1 - p",
        message="What drops out of your sublayers' outputs is lost and the rest stays as it is, so "
        "the sums are smaller on average in train mode than in eval mode. Dropout makes up for "
        "that. `nn.Dropout` also changes the numbers that it keeps.",
        edits={
            f"self.dropout({name})": (
                f"{name} * (torch.rand({name}.shape) >= self.dropout.p)"
                f" if self.training else {name}"
            )
            for name in NAMES
        },
    ),
    Variant(
        tag="decoder-dropout-takes-the-residual",
        description="Drops out more than what the sublayers return: the residual, too",
        message="In train mode the residual loses numbers too: more drops out than a sublayer's "
        "output. The formula does three things to Sublayer(x). Which comes first, and what does "
        "it act on?",
        edits={
            "self.norm1(total)": "self.dropout(self.norm1(total))",
            "self.norm2(total)": "self.dropout(self.norm2(total))",
            "self.norm3(total)": "self.dropout(self.norm3(total))",
        },
    ),
    Variant(
        tag="decoder-dropout-after-the-norms",
        description="What the norms return drops out, and what the sublayers return doesn't",
        message="In train mode your block loses numbers of what the norms return, and none of what "
        "the sublayers return. So whole sums drop out, the residual with them. The formula does "
        "three things to Sublayer(x). Which comes first?",
        edits={
            **{f"self.dropout({name})": name for name in NAMES},
            **{f"self.norm{i}(total)": f"self.dropout(self.norm{i}(total))" for i in (1, 2, 3)},
        },
    ),
    Variant(
        tag="decoder-dropout-keeps-the-rate",
        description="Takes dropout for the share that is kept: nn.Dropout(1 - dropout)",
        message="Your block loses the share that it should keep: with `dropout=0.0`, nothing is "
        "left of what the sublayers return, and unless told otherwise, nine tenths are lost. Look "
        "up what the `p` of `nn.Dropout` stands for.",
        edits={"nn.Dropout(dropout)": "nn.Dropout(1 - dropout)"},
    ),
    Variant(
        tag="decoder-dropout-in-groups",
        description="Loses many numbers at once, such as whole tokens (nn.Dropout1d)",
        message="In train mode, what the sublayers return isn't lost number by number: many go or "
        "stay together, such as all features of a token. Dropout decides about each entry by "
        "itself. What does yours decide about?",
        edits={"nn.Dropout(": "nn.Dropout1d("},
    ),
)
