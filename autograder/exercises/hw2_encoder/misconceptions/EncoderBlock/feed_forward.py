"""What learners get wrong in EncoderBlock: feed forward."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="block-no-relu",
        description="No ReLU between linear1 and linear2",
        message="Between linear1 and linear2 of your block nothing happens, so the two are as good "
        "as a single layer. Your FeedForward knows what belongs there.",
        edits={"hidden = F.relu(": "hidden = ("},
    ),
    Variant(
        tag="block-gelu",
        description="GELU instead of ReLU",
        message="Between linear1 and linear2 of your block stands GELU, as in many later models. "
        "Small negative features get through it. The exercise asks for a ReLU.",
        edits={"F.relu": "F.gelu"},
    ),
    Variant(
        tag="block-relu-last",
        description="ReLU after linear2 instead of linear1",
        message="Your ReLU comes after linear2, so nothing that the network adds can be negative, "
        "and the two layers before it amount to one. Your FeedForward knows where it belongs.",
        edits={
            "hidden = F.relu(": "hidden = (",
            "self.linear2(hidden)": "F.relu(self.linear2(hidden))",
        },
    ),
    Variant(
        tag="block-relu-twice",
        description="ReLU after each of the two layers",
        message="There is a ReLU after each of your layers. The one in the middle is right; the "
        "one at the end takes every negative number from what the network adds. Your FeedForward "
        "ended with a linear layer.",
        edits={"self.linear2(hidden)": "F.relu(self.linear2(hidden))"},
    ),
    Variant(
        tag="block-leaky-relu",
        description="Leaky ReLU instead of ReLU",
        message="The ReLU of your block leaks: of each negative feature a hundredth gets through. "
        "The exercise asks for a ReLU.",
        edits={"F.relu": "F.leaky_relu"},
    ),
    Variant(
        tag="block-tanh",
        description="tanh instead of ReLU",
        message="Between linear1 and linear2 of your block stands a tanh, so every hidden feature "
        "ends up between -1 and 1. A ReLU lets large features stay large.",
        edits={"F.relu": "torch.tanh"},
    ),
    Variant(
        tag="block-sigmoid",
        description="Sigmoid instead of ReLU",
        message="Between linear1 and linear2 of your block stands a sigmoid, so every hidden "
        "feature ends up between 0 and 1. A ReLU lets large features stay large.",
        edits={"F.relu": "torch.sigmoid"},
    ),
    Variant(
        tag="block-silu",
        description="SiLU instead of ReLU",
        message="Between linear1 and linear2 of your block stands SiLU, as in some later models. "
        "Small negative features get through it. The exercise asks for a ReLU.",
        edits={"F.relu": "F.silu"},
    ),
    Variant(
        tag="block-softmax-between",
        description="Softmax instead of ReLU",
        message="Between linear1 and linear2 of your block stands a softmax, so the hidden "
        "features share out a single 1. That is for attention. The ReLU of your FeedForward treats "
        "each number by itself.",
        edits={"F.relu(": "F.softmax(dim=-1, input="},
    ),
    Variant(
        tag="block-d-ff-ignored",
        description="Makes linear1 4 · d_model wide, whatever d_ff is",
        message="Your hidden layer is four times as wide as x, as in the paper, whatever d_ff is. "
        "The size is the caller's to choose. Which argument have you not used?",
        edits={
            "nn.Linear(d_model, d_ff)": "nn.Linear(d_model, 4 * d_model)",
            "nn.Linear(d_ff, d_model)": "nn.Linear(4 * d_model, d_model)",
        },
    ),
)
