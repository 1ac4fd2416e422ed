"""What learners get wrong in EncoderBlock: residual."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .norm import NORM

MISCONCEPTIONS = (
    Variant(
        tag="block-no-residual-around-attention",
        description="No residual around attention",
        message="Nothing leads past attention in your block: a token's own vector is lost once it "
        "has looked at the others. In the picture an arrow runs around each sublayer.",
        edits={"x + attended": "attended"},
    ),
    Variant(
        tag="block-no-residual-around-feed-forward",
        description="No residual around the feed-forward network",
        message="Nothing leads past the feed-forward network in your block, so what attention has "
        "found survives only if linear2 rebuilds it. In the picture an arrow runs around this "
        "sublayer as well.",
        edits={"normed + transformed": "transformed"},
    ),
    Variant(
        tag="block-second-residual-from-x",
        description="The second residual is the block's input, not what norm1 returned",
        message="Your second residual starts at the input of the block, so what attention added is "
        "skipped. Each residual leads around one sublayer. Which tensor goes into the second one?",
        edits={"normed + transformed": "x + transformed"},
    ),
    Variant(
        tag="block-feed-forward-reads-x",
        description="The feed-forward network reads the block's input",
        message="Your feed-forward network reads the input of the block, so it works beside "
        "attention, not on what attention found. Look at where its arrow comes from in the "
        "picture.",
        edits={"self.linear1(normed)": "self.linear1(x)"},
    ),
    Variant(
        tag="block-feed-forward-reads-the-sum",
        description="The feed-forward network reads the first sum before it is normalised",
        message="Your feed-forward network reads the first sum as it is, and only the residual "
        "beside it comes from norm1. In the picture, the arrow from the norm parts in two: where "
        "do both of its ends lead?",
        edits={"self.linear1(normed)": "self.linear1(total)"},
    ),
    Variant(
        tag="block-residual-in-place",
        description="Adds the residual in place and so changes the caller's x",
        message="The caller's x isn't what it was: one of your lines "
        "writes into the tensor that you were given, instead of making a new one. Which is it?",
        edits={"total = x + attended": "total = x.add_(attended)"},
    ),
    Variant(
        tag="block-feed-forward-reads-attention",
        description="The feed-forward network reads attention's output, before residual and norm",
        message="Your feed-forward network reads what attention returned, without the residual and "
        "the norm that follow. Look at where its arrow comes from in the picture.",
        edits={"self.linear1(normed)": "self.linear1(attended)"},
    ),
    Variant(
        tag="block-second-residual-from-attention",
        description="The second residual is what attention returned",
        message="Your second residual is what attention returned, before it met the first residual "
        "and the norm. Each residual leads around one sublayer. Which tensor goes into the second "
        "one?",
        edits={"normed + transformed": "attended + transformed"},
    ),
    Variant(
        tag="block-residual-twice",
        description="Adds x twice around attention",
        message="x counts double in your first sum. A residual is added once: is it in the tensor "
        "already, when you add it again?",
        edits={"total = x + attended": "total = x + x + attended"},
    ),
    Variant(
        tag="block-residuals-twice",
        description="Adds the residual twice around both sublayers",
        message="The residual counts double in both of your sums. It is added once: is it in the "
        "tensor already, when you add it again?",
        edits={
            "total = x + attended": "total = x + x + attended",
            "total = normed + transformed": "total = normed + normed + transformed",
        },
    ),
    Variant(
        tag="block-no-attention",
        description="Doesn't use what attention returned",
        message="What attention returns plays no part in your result, so no token learns of "
        "another. It should go into the first sum.",
        edits={"total = x + attended": "total = x"},
    ),
    Variant(
        tag="block-no-feed-forward",
        description="Ends after attention: no feed-forward sublayer",
        message="Your block ends after the first sublayer: linear1, linear2 and norm2 are made but "
        "never called.",
        edits={"result = self.norm2(total)": "result = normed"},
    ),
    Variant(
        tag="block-feed-forward-returned",
        description="Returns what linear2 returns, before the last sum and norm",
        message="You return what linear2 gives, without the residual and the norm around it. "
        "Follow the formula for one sublayer from the inside out: how many steps are left?",
        edits={"result = self.norm2(total)": "result = self.linear2(hidden)"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
A block in which nearly everything is silent: attention returns (0, 0), and the feed-forward
network always returns (1, 0). One token of two features comes in: (1, 5). Of two features, layer
norm keeps no more than which is larger: the smaller becomes −1, the larger 1.

An attention that returns nothing takes nothing away, because the token itself is added:
1 + 0 = 1 and 5 + 0 = 5. The norm makes (−1, 1) of (1, 5).

The network's (1, 0) is added to that: −1 + 1 = 0 and 1 + 0 = 1. The norm makes (−1, 1) of (0, 1).
The token can still be recognised.

Without one of the two additions, the token is lost there. What is left of it in yours?""",
        """\
block = EncoderBlock(2, 1, 4, 0.0)
for name, parameter in block.named_parameters():
    torch.nn.init.constant_(parameter, "norm" in name and "weight" in name)
block.linear2.bias.data = torch.tensor([1.0, 0.0])
block(torch.tensor([[[1.0, 5.0]]]))""",
        [[[-1.0, 1.0]]],
    ),
    NORM,
)
