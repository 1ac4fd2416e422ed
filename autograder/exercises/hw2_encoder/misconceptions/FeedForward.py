"""What learners get wrong in FeedForward."""  # noqa: N999 - the name of the exercise

from __future__ import annotations

from autograder.exercises.hw2_encoder.everywhere import no_bias, nothing_returned, other_names
from autograder.misconceptions import Variant

REFERENCE = """\
class FeedForward(nn.Module):
    def __init__(self, d_model, d_ff):
        super().__init__()
        self.linear1 = nn.Linear(d_model, d_ff)
        self.linear2 = nn.Linear(d_ff, d_model)

    def forward(self, x):
        hidden = self.linear1(x)
        hidden = F.relu(hidden)
        output = self.linear2(hidden)
        return output
"""

WRONG_NONLINEARITY = (
    Variant(
        tag="feed-forward-no-relu",
        description="No ReLU: two linear layers in a row",
        message="Nothing happens between your two layers. Two linear layers in a row are as good "
        "as a single one, however wide the middle is. What does max(0, …) do in the formula, and "
        "where?",
        edits={"F.relu(hidden)": "hidden"},
    ),
    Variant(
        tag="feed-forward-relu-last",
        description="ReLU after the second layer instead of the first",
        message="Your ReLU comes last, so no feature of the result can be negative, and the two "
        "layers before it amount to one. In the formula, which of the two matrices stands outside "
        "max(0, …)?",
        edits={"F.relu(hidden)": "hidden", "self.linear2(hidden)": "F.relu(self.linear2(hidden))"},
    ),
    Variant(
        tag="feed-forward-relu-twice",
        description="ReLU after each of the two layers",
        message="There is a ReLU after each of your layers. The one in the middle is right; the "
        "one at the end takes every negative number from the result. How often does max(0, …) "
        "occur in the formula?",
        source=REFERENCE.replace("self.linear2(hidden)", "F.relu(self.linear2(hidden))"),
    ),
    Variant(
        tag="feed-forward-relu-first",
        description="ReLU on x, before the first layer",
        message="Your ReLU meets x before the first layer does, so whatever is negative in x is "
        "lost, and nothing stands between the layers. In the formula, what is inside max(0, …)?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(F.relu(x))").replace(
            "F.relu(hidden)", "hidden"
        ),
    ),
    Variant(
        tag="feed-forward-gelu",
        description="GELU instead of ReLU",
        message="Between your layers stands GELU, a smooth relative of ReLU that later models "
        "like. Small negative features get through it. What does max(0, …) make of them?",
        edits={"F.relu": "F.gelu"},
    ),
    Variant(
        tag="feed-forward-leaky-relu",
        description="Leaky ReLU instead of ReLU",
        message="Your ReLU leaks: of each negative feature a hundredth gets through. What does "
        "max(0, …) leave of a negative number?",
        edits={"F.relu": "F.leaky_relu"},
    ),
    Variant(
        tag="feed-forward-sigmoid",
        description="Sigmoid instead of ReLU",
        message="Between your layers stands a sigmoid, so every hidden feature ends up between 0 "
        "and 1. max(0, …) lets large features stay large. Which function of torch is that?",
        edits={"F.relu": "torch.sigmoid"},
    ),
    Variant(
        tag="feed-forward-softmax",
        description="Softmax instead of ReLU",
        message="Between your layers stands a softmax, so the hidden features share out a single "
        "1. That is for attention; here each feature is treated by itself. What does the formula "
        "do with one number?",
        edits={"F.relu(hidden)": "torch.softmax(hidden, dim=-1)"},
    ),
)

WRONG_WIRING = (
    Variant(
        tag="feed-forward-residual-inside",
        description="Adds x to the result",
        message="You add x to the result. The residual is on its way, but it belongs to the "
        "encoder block, which wraps this network; with both, x would count twice. What does the "
        "formula of this part end with?",
        edits={"return output": "return x + output"},
    ),
    Variant(
        tag="feed-forward-second-layer-unused",
        description="Returns the hidden features: linear2 is never applied",
        message="You return the hidden features: linear2 is made but never called, so d_ff "
        "features come out where d_model should. What does the formula multiply after max(0, …)?",
        source=REFERENCE.replace("self.linear2(hidden)", "hidden"),
    ),
    Variant(
        tag="feed-forward-mixes-positions",
        description="Averages over the positions: every token gets the same",
        message="Every token of yours gets the same answer, made of all tokens together. To look "
        "at each other is the job of attention; this network serves each position by itself. "
        "Which axis do you average over?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(x.mean(1, True).expand_as(x))"),
    ),
    Variant(
        tag="feed-forward-dropout",
        description="Drops out in train mode",
        message="In train mode, two runs of your network on the same input differ: there is "
        "dropout in it. The block around it has some, and its rate is set there. What does this "
        "exercise say of dropout?",
        source=REFERENCE.replace("F.relu(hidden)", "F.dropout(F.relu(hidden), 0.1, self.training)"),
    ),
    Variant(
        tag="feed-forward-normalised",
        description="Ends with a layer norm",
        message="Your network ends with a layer norm. The norm will come, but around the network, "
        "in the encoder block, and after the residual. What does the formula of this part alone "
        "contain?",
        edits={"return output": "return F.layer_norm(output, x.shape[-1:])"},
    ),
    Variant(
        tag="feed-forward-changes-its-input",
        description="Applies the ReLU to x in place",
        message="Your ReLU works in place on x, the tensor of whoever called you: it's changed for "
        "them as well, and the block still needs it for the residual. Names that end in an "
        "underscore, and `inplace=True`, change what they are given. What should it act on?",
        source=REFERENCE.replace("self.linear1(x)", "self.linear1(F.relu_(x))").replace(
            "F.relu(hidden)", "hidden"
        ),
    ),
)

WRONG_MODULE = (
    nothing_returned("feed-forward", REFERENCE.replace("return output", "output")),
    other_names("feed-forward", "linear1", REFERENCE.replace("linear", "fc")),
    no_bias("feed-forward", "linear1", REFERENCE.replace("d_ff)\n", "d_ff, bias=False)\n", 2)),
    Variant(
        tag="feed-forward-sizes-exchanged",
        description="linear1 leads from d_ff to d_model",
        message="Your linear1 leads from d_ff features to d_model. x comes with d_model of them, "
        "is made wider first and narrow again afterwards. In `nn.Linear(a, b)`, which of the two "
        "goes in?",
        source=REFERENCE.replace(
            "d_model, d_ff)\n        self.l", "d_ff, d_model)\n        self.l"
        ),
    ),
)

MISCONCEPTIONS = (*WRONG_NONLINEARITY, *WRONG_WIRING, *WRONG_MODULE)
