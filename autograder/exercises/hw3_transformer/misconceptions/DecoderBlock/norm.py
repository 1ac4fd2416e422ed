"""What learners get wrong in DecoderBlock: norm."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .reference import SILENT

MISCONCEPTIONS = (
    Variant(
        tag="decoder-batch-norm",
        description="Batch norm instead of layer norm",
        message="Your norms take each feature over all tokens of the batch, where a layer norm "
        "takes each token over its own features; in eval mode they go by what they saw in "
        "training. What becomes of a token shouldn't depend on the others.",
        edits={
            "nn.LayerNorm(": "nn.BatchNorm1d(",
            "self.norm1(total)": "self.norm1(total.mT).mT",
            "self.norm2(total)": "self.norm2(total.mT).mT",
            "self.norm3(total)": "self.norm3(total.mT).mT",
        },
    ),
    Variant(
        tag="decoder-pre-norm",
        description="Pre-norm: normalises before each sublayer instead of after each sum",
        message="Your norms come before the sublayers, which is called pre-norm; many later models "
        "do just that. The paper's block normalises elsewhere, and there the same weights mean "
        "something else. In the picture, which box follows each sum?",
        edits={
            "self.norm1(total)": "total",
            "self.norm2(total)": "total",
            "self.norm3(total)": "total",
            "q = x\n": "q = self.norm1(x)\n",
            "p = y\n": "p = self.norm2(y)\n",
            "r = z\n": "r = self.norm3(z)\n",
        },
    ),
    Variant(
        tag="decoder-one-norm-for-all",
        description="Uses norm1 in all three places",
        message="You use norm1 in all three places; norm2 and norm3 have no effect. Fresh norms "
        "are all alike, so at first it doesn't show; once trained, each has a scale and a shift of "
        "its own.",
        edits={"self.norm2(total)": "self.norm1(total)", "self.norm3(total)": "self.norm1(total)"},
    ),
    Variant(
        tag="decoder-norm2-twice",
        description="Uses norm2 for the feed-forward network as well; norm3 is idle",
        message="You use norm2 twice, and norm3 has no effect, as if this were still the encoder. "
        "Fresh norms are all alike, so at first it doesn't show. Which one belongs around the "
        "feed-forward network?",
        edits={"self.norm3(total)": "self.norm2(total)"},
    ),
    Variant(
        tag="decoder-norm1-twice",
        description="Uses norm1 around cross-attention as well",
        message="You use norm1 around both attentions, and norm2 has no effect. Fresh norms are "
        "all alike, so at first it doesn't show; once trained, each has numbers of its own.",
        edits={"self.norm2(total)": "self.norm1(total)"},
    ),
    Variant(
        tag="decoder-norms-swapped",
        description="Swaps norm2 and norm3",
        message="Your norm2 and norm3 have changed places. Fresh norms are all alike, so at first "
        "it doesn't show. The picture numbers them from below.",
        edits={
            "self.norm2(total)": "self.norm0(total)",
            "self.norm3(total)": "self.norm2(total)",
            "self.norm0(total)": "self.norm3(total)",
        },
    ),
    Variant(
        tag="decoder-first-norm-missing",
        description="Doesn't apply norm1",
        message="After self-attention and its residual, your block goes straight on: norm1 has no "
        "effect. Follow the formula for one sublayer from the inside out, to its last step.",
        edits={"self.norm1(total)": "total"},
    ),
    Variant(
        tag="decoder-second-norm-missing",
        description="Doesn't apply norm2",
        message="After cross-attention and its residual, your block goes straight on: norm2 has no "
        "effect. Follow the formula for one sublayer from the inside out, to its last step.",
        edits={"self.norm2(total)": "total"},
    ),
    Variant(
        tag="decoder-third-norm-missing",
        description="Doesn't apply norm3",
        message="Your block ends with a bare sum and norm3 has no effect, so numbers can grow from "
        "block to block. Follow the formula for one sublayer from the inside out, to its last "
        "step.",
        edits={"self.norm3(total)": "total"},
    ),
    Variant(
        tag="decoder-norm-epsilon",
        description="Makes the norms with an eps of its own (1e-3)",
        message="Your norms have an `eps` of their own, so the result differs where a token's "
        "features lie close together. The exercise asks for a plain `nn.LayerNorm`. Which of its "
        "arguments do you set?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, eps=1e-3)"},
    ),
    Variant(
        tag="decoder-dropout-for-epsilon",
        description="Makes the norms with LayerNorm(d_model, dropout): the rate becomes eps",
        message="Your norms take the rate of dropout for their `eps`: the larger the rate, the "
        "smaller what they return, in eval mode too. A norm never drops out. Which argument comes "
        "second in `nn.LayerNorm`?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, dropout)"},
    ),
    Variant(
        tag="decoder-norm-without-weights",
        description="Norms have no `weight`: affine switched off, or a class of its own",
        message="Your norms have no `weight`, which `nn.LayerNorm` has, and so nothing else could "
        "be tested. The exercise asks for a plain `nn.LayerNorm`. How are yours made?",
        edits={"nn.LayerNorm(d_model)": "nn.LayerNorm(d_model, elementwise_affine=False)"},
    ),
    Variant(
        tag="decoder-norms-before-the-sums",
        description="Normalises each sublayer's output, then adds the residual",
        message="You normalise what each sublayer returns and add the residual afterwards, so the "
        "sums grow from block to block. In the formula, a pair of brackets follows LayerNorm. What "
        "stands inside them?",
        edits={
            "x + attended": "x + self.norm1(attended)",
            "self.norm1(total)": "total",
            "y + found": "y + self.norm2(found)",
            "self.norm2(total)": "total",
            "z + transformed": "z + self.norm3(transformed)",
            "self.norm3(total)": "total",
        },
    ),
    Variant(
        tag="decoder-norms-one-and-two-swapped",
        description="Swaps norm1 and norm2",
        message="Your norm1 and norm2 have changed places. Fresh norms are all alike, so at first "
        "it doesn't show. The picture numbers them from below.",
        edits={
            "self.norm1(total)": "self.norm0(total)",
            "self.norm2(total)": "self.norm1(total)",
            "self.norm0(total)": "self.norm2(total)",
        },
    ),
    Variant(
        tag="decoder-norm-of-its-own",
        description="A norm written by hand: divides by std + eps, and by n - 1 inside",
        message="Your norms are nearly those of `nn.LayerNorm`: they divide by another standard "
        "deviation, such as the one that `std` gives unless told otherwise, and the difference "
        "grows as features become fewer. The exercise asks for `nn.LayerNorm` itself. What does "
        "`unbiased` stand for in `torch.std`?",
        edits={
            f"self.norm{n}(total)": f"self.norm{n}.weight * (total - total.mean(-1, keepdim=True)) "
            f"/ (total.std(-1, keepdim=True) + 1e-6) + self.norm{n}.bias"
            for n in (1, 2, 3)
        },
    ),
)

NORM = WorkedExample(
    """
A block in which nearly everything is silent: both attentions return (0, 0), and the feed-forward
network always returns (4, 0). One token of two features comes in: (1, 5). Of two features, layer
norm keeps no more than which is larger: the smaller becomes −1, the larger 1. The third norm has
learned to multiply by 3.

After each sum comes a norm. The first sum is 1 + 0 = 1 and 5 + 0 = 5, which becomes (−1, 1). The
second changes nothing.

The third sum adds (4, 0) to what the second norm returned: −1 + 4 = 3 and 1 + 0 = 1. The norm
makes (1, −1) of that, and 3 · 1 = 3 and 3 · −1 = −3.

Now yours. Ones, and no threes, come from another norm's weights; 5 or 3 beside 1 from a sum
without a norm after it. Where do your norms stand?""",
    SILENT
    + """\
block.linear2.bias.data = torch.tensor([4.0, 0.0])
block.norm3.weight.data *= 3
block(torch.tensor([[[1.0, 5.0]]]), torch.zeros(1, 3, 2))""",
    [[[3.0, -3.0]]],
)
EXAMPLES = (NORM,)
