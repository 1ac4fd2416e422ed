"""What learners get wrong in DecoderBlock: residual."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

from .norm import NORM
from .reference import SILENT

MISCONCEPTIONS = (
    Variant(
        tag="decoder-no-residual-around-self-attention",
        description="No residual around self-attention",
        message="Nothing leads past self-attention in your block: a token's own vector is lost "
        "once it has looked at the others. In the picture an arrow runs around each sublayer. "
        "Where does this one end?",
        edits={"x + attended": "attended"},
    ),
    Variant(
        tag="decoder-no-residual-around-cross-attention",
        description="No residual around cross-attention",
        message="Nothing leads past cross-attention in your block, so what the target said is "
        "replaced by what the source says. In the picture an arrow runs around this sublayer too.",
        edits={"y + found": "found"},
    ),
    Variant(
        tag="decoder-no-residual-around-feed-forward",
        description="No residual around the feed-forward network",
        message="Nothing leads past the feed-forward network in your block, so what both "
        "attentions found survives only if linear2 rebuilds it. In the picture an arrow runs "
        "around this sublayer as well.",
        edits={"z + transformed": "transformed"},
    ),
    Variant(
        tag="decoder-no-residuals",
        description="No residual around any sublayer",
        message="Nothing leads past your sublayers: all that remains of a token is what the last "
        "one made of it. In the picture an arrow runs around each of the three.",
        edits={
            "x + attended": "attended",
            "y + found": "found",
            "z + transformed": "transformed",
        },
    ),
    Variant(
        tag="decoder-second-residual-from-x",
        description="The second residual is the block's input, not what norm1 returned",
        message="Your second residual starts at the input of the block, so what self-attention "
        "added is skipped. Each residual leads around one sublayer. Which tensor goes into the "
        "second one?",
        edits={"y + found": "x + found"},
    ),
    Variant(
        tag="decoder-third-residual-from-norm1",
        description="The third residual is what norm1 returned, so cross-attention is skipped",
        message="Your third residual leads around cross-attention as well, so what the source said "
        "gets to the end through the feed-forward network alone. Each residual leads around one "
        "sublayer.",
        edits={"z + transformed": "y + transformed"},
    ),
    Variant(
        tag="decoder-third-residual-from-x",
        description="The third residual is the block's input",
        message="Your third residual starts at the input of the block, so what both attentions "
        "added is skipped. Each residual leads around one sublayer.",
        edits={"z + transformed": "x + transformed"},
    ),
    Variant(
        tag="decoder-residual-from-the-memory",
        description="Adds the memory instead of the target around cross-attention",
        message="Around cross-attention you add the memory, which has as many tokens as the "
        "*source*. A residual carries on the stream that the block is about. The block is about "
        "the text that is being written.",
        edits={"y + found": "memory + found"},
    ),
    Variant(
        tag="decoder-residuals-from-x",
        description="The second and the third residual are the block's input",
        message="All three of your residuals start at the input of the block, so what the sums "
        "before them have gathered is skipped. Each residual leads around one sublayer: it carries "
        "on what that sublayer was given. Where is the tensor renewed that you add?",
        edits={"y + found": "x + found", "z + transformed": "x + transformed"},
    ),
)

EXAMPLES = (
    WorkedExample(
        """
A block in which nearly everything is silent: both attentions return (0, 0), and the feed-forward
network always returns (1, 0). One token of two features comes in: (1, 5). Of two features, layer
norm keeps no more than which is larger: the smaller becomes −1, the larger 1.

An attention that returns nothing takes nothing away, because the token itself is added:
1 + 0 = 1 and 5 + 0 = 5, and the norm makes (−1, 1) of (1, 5). Around the second attention, the
same happens once more.

The network's (1, 0) is added to that: −1 + 1 = 0 and 1 + 0 = 1, and the norm makes (−1, 1) of
(0, 1). The token can still be recognised.

Without one of the three additions, the token is lost there. What is left of it in yours?""",
        SILENT
        + """\
block.linear2.bias.data = torch.tensor([1.0, 0.0])
block(torch.tensor([[[1.0, 5.0]]]), torch.zeros(1, 3, 2))""",
        [[[-1.0, 1.0]]],
    ),
    WorkedExample(
        """
One target token, (1, 5), and one memory token, (4, 0). Only the second attention speaks: it
returns (4, 0), since there is nothing else to look at. Of two features, layer norm keeps no more
than which is larger: the smaller becomes −1, the larger 1.

The first norm makes (−1, 1) of (1, 5). From here on, nobody needs the (1, 5) any more: what is
added next is what the norm before has returned.

The second sum is −1 + 4 = 3 and 1 + 0 = 1, which becomes (1, −1).

The third adds nothing to that: 1 + 0 = 1 and −1 + 0 = −1, which stays (1, −1).

With (1, 5) in the second sum, you would get (5, 5), and zeros from the norm. With (−1, 1) in the
third, the memory would be forgotten. Which tensor stands in each of your three sums?""",
        SILENT
        + """\
block.multihead_attn.in_proj_weight.data[4:] = torch.eye(2)
block.multihead_attn.out_proj.weight.data = torch.eye(2)
block(torch.tensor([[[1.0, 5.0]]]), torch.tensor([[[4.0, 0.0]]]))""",
        [[[1.0, -1.0]]],
    ),
    NORM,
)
