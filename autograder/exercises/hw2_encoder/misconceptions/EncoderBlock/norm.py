"""What learners get wrong in EncoderBlock: norm."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="block-pre-norm",
        description="Pre-norm: normalises before each sublayer instead of after each sum",
        message="Your norms stand before the sublayers, which is called pre-norm; many later "
        "models do that. The paper's block normalises elsewhere, and then the same weights mean "
        "something else. In the picture, look at the box after each sum.",
        edits={
            "x, x, x": "y, y, y",
            "        attended, _": "        y = self.norm1(x)\n        attended, _",
            "self.norm1(total)": "total",
            "self.linear1(normed)": "self.linear1(self.norm2(normed))",
            "self.norm2(total)": "total",
        },
    ),
    Variant(
        tag="block-norm-before-the-sum",
        description="Normalises each sublayer's output, then adds the residual",
        message="You normalise what each sublayer returns and add the residual afterwards, so the "
        "sums grow from block to block. The formula has one pair of brackets around something. "
        "Look at what it puts inside LayerNorm(…).",
        edits={
            "x + attended": "x + self.norm1(attended)",
            "self.norm1(total)": "total",
            "normed + transformed": "normed + self.norm2(transformed)",
            "self.norm2(total)": "total",
        },
    ),
    Variant(
        tag="block-one-norm-twice",
        description="Uses norm1 in both places",
        message="You call norm1 twice and norm2 never. Fresh norms are all alike, so at first "
        "nobody can tell; once trained, each has a scale and a shift of its own.",
        edits={"self.norm2(": "self.norm1("},
    ),
    Variant(
        tag="block-first-norm-missing",
        description="Doesn't apply norm1",
        message="After attention and its residual, your block goes straight on: norm1 is made but "
        "never called. Follow the formula for one sublayer from the inside out. Its last step is "
        "missing.",
        edits={"self.norm1(total)": "total"},
    ),
    Variant(
        tag="block-second-norm-missing",
        description="Doesn't apply norm2",
        message="Your block ends with a sum: norm2 is made but never called, so the next block "
        "gets larger and larger numbers. Follow the formula for one sublayer from the inside out. "
        "Its last step is missing.",
        edits={"self.norm2(total)": "total"},
    ),
    Variant(
        tag="block-norms-exchanged",
        description="Uses norm2 after attention and norm1 at the end",
        message="norm1 and norm2 have changed places. Fresh norms are all alike, so at first "
        "nobody can tell; once trained, each has a scale and a shift of its own.",
        edits={
            "self.norm1(total)": "self.norm2(total)",
            "result = self.norm2": "result = self.norm1",
        },
    ),
    Variant(
        tag="block-second-norm-twice",
        description="Uses norm2 in both places, or one norm under two names",
        message="Both of your norms act with the weights of norm2. Fresh norms are all alike, so "
        "at first nobody can tell; once trained, each has a scale and a shift of its own. Is "
        "`nn.LayerNorm` called twice in `__init__`, and each of the two once in `forward`?",
        edits={"self.norm1(": "self.norm2("},
    ),
    Variant(
        tag="block-first-norm-before-the-sum",
        description="Normalises what attention returns, then adds the residual",
        message="You normalise what attention returns and add the residual afterwards. The formula "
        "has one pair of brackets around something. Look at what it puts inside LayerNorm(…).",
        edits={"x + attended": "x + self.norm1(attended)", "self.norm1(total)": "total"},
    ),
    Variant(
        tag="block-second-norm-before-the-sum",
        description="Normalises what linear2 returns, then adds the residual",
        message="You normalise what the feed-forward network returns and add the residual "
        "afterwards. The formula has one pair of brackets around something. Look at what it puts "
        "inside LayerNorm(…).",
        edits={
            "normed + transformed": "normed + self.norm2(transformed)",
            "self.norm2(total)": "total",
        },
    ),
    Variant(
        tag="block-pre-norm-of-the-query-alone",
        description="Pre-norm, with the norm on the query but not on key and value",
        message="Your norms stand before the sublayers (pre-norm), and in attention on the query "
        "alone. The paper's block normalises elsewhere, and there query, key and value are one "
        "tensor. In the picture, look at the box after each sum.",
        edits={
            "x, x, x": "self.norm1(x), x, x",
            "self.norm1(total)": "total",
            "self.linear1(normed)": "self.linear1(self.norm2(normed))",
            "self.norm2(total)": "total",
        },
    ),
    Variant(
        tag="block-pre-norm-residual-normalised",
        description="Pre-norm, with residuals from the normalised tensors",
        message="Your norms stand before the sublayers (pre-norm), and the residuals start behind "
        "them. The paper's block normalises elsewhere. In the picture, look at the box after each "
        "sum, and at where its arrow begins.",
        edits={
            "        attended, _": "        x = self.norm1(x)\n        attended, _",
            "normed = self.norm1(total)": "normed = self.norm2(total)",
            "self.norm2(total)\n        return": "total\n        return",
        },
    ),
    Variant(
        tag="block-pre-norm-around-attention",
        description="Pre-norm around attention, post-norm around the feed-forward network",
        message="Your first norm stands before attention, your second after its sum. The paper's "
        "block has both in the same place. In the picture, look at the box after each sum.",
        edits={
            "x, x, x": "y, y, y",
            "        attended, _": "        y = self.norm1(x)\n        attended, _",
            "self.norm1(total)": "total",
        },
    ),
    Variant(
        tag="block-norm-before-and-after",
        description="Normalises before attention and after the sum",
        message="norm1 is called twice around attention: on x before, and on the sum after. Each "
        "norm has one turn. In the picture, which box follows the sum, and is there one in front "
        "of attention?",
        edits={
            "x, x, x": "y, y, y",
            "        attended, _": "        y = self.norm1(x)\n        attended, _",
        },
    ),
)

NORM = WorkedExample(
    """
A block in which nearly everything is silent: attention returns (0, 0), and the feed-forward
network always returns (4, 0). One token of two features comes in: (1, 5). Of two features, layer
norm keeps no more than which is larger: the smaller becomes −1, the larger 1. The second norm has
learned to multiply by 3.

First sum, then norm: 1 + 0 = 1 and 5 + 0 = 5, and (1, 5) becomes (−1, 1).

Second sum, with what the first norm returned: −1 + 4 = 3 and 1 + 0 = 1. The norm makes (1, −1) of
that, and 3 · 1 = 3 and 3 · −1 = −3.

Now yours. Ones, and no threes, come from the other norm's weights; zeros from adding (4, 0) to
(1, 5). Where do your norms stand, before or after the sums?""",
    """\
block = EncoderBlock(2, 1, 4, 0.0)
for name, parameter in block.named_parameters():
    torch.nn.init.constant_(parameter, "norm" in name and "weight" in name)
block.linear2.bias.data = torch.tensor([4.0, 0.0])
block.norm2.weight.data *= 3
block(torch.tensor([[[1.0, 5.0]]]))""",
    [[[3.0, -3.0]]],
)
EXAMPLES = (NORM,)
