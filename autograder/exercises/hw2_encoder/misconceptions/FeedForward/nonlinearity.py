"""What learners get wrong in FeedForward: nonlinearity."""

from __future__ import annotations

from autograder.testing import Variant, WorkedExample

MISCONCEPTIONS = (
    Variant(
        tag="feed-forward-no-relu",
        description="No ReLU: two linear layers in a row",
        message="Nothing happens between your two layers. Two linear layers in a row are as good "
        "as a single one, however wide the middle is. The formula has max(0, …) there.",
        edits={"F.relu(hidden)": "hidden"},
    ),
    Variant(
        tag="feed-forward-maximum-along-the-batch",
        description="torch.max(hidden, 0): the largest along axis 0 instead of the larger of two",
        message="You take the largest of each feature along the batch, so the sentences become "
        "one. The 0 in your maximum is taken for the number of an axis. max(0, …) compares each "
        "feature with the number 0, and knows nothing of its neighbours.",
        edits={"F.relu(hidden)": "torch.max(hidden, 0)[0]"},
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
        description="ReLU after the second layer, besides what stands between the two",
        message="There is a ReLU at your end as well: it takes every negative number from the "
        "result. How often does max(0, …) occur in the formula, and which matrix stands outside?",
        edits={"self.linear2(hidden)": "F.relu(self.linear2(hidden))"},
    ),
    Variant(
        tag="feed-forward-relu-first",
        description="ReLU on x, before the first layer",
        message="Your ReLU meets x before the first layer does, so whatever is negative in x is "
        "lost, and nothing stands between the layers. In the formula, what is inside max(0, …)?",
        edits={"self.linear1(x)": "self.linear1(F.relu(x))", "F.relu(hidden)": "hidden"},
    ),
    Variant(
        tag="feed-forward-gelu",
        description="GELU instead of ReLU",
        message="Between your layers stands GELU, a smooth relative of ReLU that later models "
        "like. Small negative features get through it. max(0, …) lets none through.",
        edits={"F.relu": "F.gelu"},
    ),
    Variant(
        tag="feed-forward-leaky-relu",
        description="Leaky ReLU instead of ReLU",
        message="Your ReLU leaks: of each negative feature a hundredth gets through. max(0, …) "
        "leaves nothing of it.",
        edits={"F.relu": "F.leaky_relu"},
    ),
    Variant(
        tag="feed-forward-prelu",
        description="PReLU, whose slope is trained, instead of ReLU",
        message="Between your layers stands PReLU, which lets a part of each negative feature "
        "through, and learns how much. max(0, …) leaves nothing of it, and has nothing to learn.",
        edits={
            "        self.linear2 = nn.Linear(d_ff, d_model)\n": (
                "        self.linear2 = nn.Linear(d_ff, d_model)\n        self.slope = nn.PReLU()\n"
            ),
            "F.relu(hidden)": "self.slope(hidden)",
        },
    ),
    Variant(
        tag="feed-forward-sigmoid",
        description="Sigmoid instead of ReLU",
        message="Between your layers stands a sigmoid, so every hidden feature ends up between 0 "
        "and 1. max(0, …) lets large features stay large.",
        edits={"F.relu": "torch.sigmoid"},
    ),
    Variant(
        tag="feed-forward-softmax",
        description="Softmax instead of ReLU",
        message="Between your layers stands a softmax, so the hidden features share out a single "
        "1. That is for attention; here each feature is treated by itself, as by max(0, …).",
        edits={"F.relu(hidden)": "torch.softmax(hidden, dim=-1)"},
    ),
    Variant(
        tag="feed-forward-tanh",
        description="tanh instead of ReLU",
        message="Between your layers stands a tanh, so every hidden feature ends up between -1 and "
        "1. max(0, …) lets large features stay large.",
        edits={"F.relu(hidden)": "torch.tanh(hidden)"},
    ),
    Variant(
        tag="feed-forward-silu",
        description="SiLU (swish) instead of ReLU",
        message="Between your layers stands SiLU, also called swish, a smooth relative of ReLU. "
        "Small negative features get through it. max(0, …) lets none through.",
        edits={"F.relu(hidden)": "F.silu(hidden)"},
    ),
    Variant(
        tag="feed-forward-elu",
        description="ELU instead of ReLU",
        message="Between your layers stands ELU: negative features get through it, down to -1. "
        "max(0, …) lets none through.",
        edits={"F.relu(hidden)": "F.elu(hidden)"},
    ),
    Variant(
        tag="feed-forward-softplus",
        description="Softplus instead of ReLU",
        message="Between your layers stands softplus, a smooth relative of ReLU, which turns even "
        "0 into something. max(0, …) leaves it 0.",
        edits={"F.relu(hidden)": "F.softplus(hidden)"},
    ),
    Variant(
        tag="feed-forward-absolute",
        description="Absolute value instead of ReLU",
        message="Your hidden features lose their sign: -2 becomes 2. max(0, …) treats numbers "
        "below 0 in another way.",
        edits={"F.relu(hidden)": "hidden.abs()"},
    ),
    Variant(
        tag="feed-forward-gelu-approximate",
        description="GELU in its tanh approximation instead of ReLU",
        message="Between your layers stands GELU, in its approximate form, which later models "
        "like. Small negative features get through it. max(0, …) lets none through.",
        edits={"F.relu(hidden)": 'F.gelu(hidden, approximate="tanh")'},
    ),
    Variant(
        tag="feed-forward-leaky-relu-steep",
        description="Leaky ReLU with slope 0.2 instead of ReLU",
        message="Your ReLU leaks: of each negative feature a fifth gets through. max(0, …) leaves "
        "nothing of it.",
        edits={"F.relu(hidden)": "F.leaky_relu(hidden, 0.2)"},
    ),
    Variant(
        tag="feed-forward-minimum-kept",
        description="min(0, …) instead of max(0, …)",
        message="You keep the negative hidden features and drop the positive ones. The formula "
        "does it the other way round: is it max or min that stands in front of the bracket?",
        edits={"F.relu(hidden)": "hidden.clamp(max=0)"},
    ),
    Variant(
        tag="feed-forward-relu-six",
        description="ReLU6 instead of ReLU",
        message="Between your layers stands ReLU6, which cuts hidden features off at 6. max(0, …) "
        "lets large features stay large.",
        edits={"F.relu(hidden)": "F.relu6(hidden)"},
    ),
    Variant(
        tag="feed-forward-relu-is-a-layer",
        description="Calls nn.ReLU(hidden): that makes a layer instead of applying one",
        message="What goes into your linear2 is a layer, the ReLU itself, and not what it makes "
        "of the hidden features. `nn.ReLU(…)` makes a layer and takes what stands in "
        "its brackets for a setting; nothing is computed yet. Which brackets make it, "
        "and which apply it?",
        edits={"F.relu(hidden)": "nn.ReLU(hidden)"},
    ),
)

HIDDEN = WorkedExample(
    """
One feature goes in, two hidden features lie between, and one comes out. No layer has a bias.

The first layer multiplies by 1 and by −1. The token 3 becomes 1 · 3 = 3 and −1 · 3 = −3, and the
token −2 becomes 1 · −2 = −2 and −1 · −2 = 2.

ReLU keeps what is positive and makes 0 of the rest: (3, 0) and (0, 2).

The second layer multiplies by 1 and by 10, and adds up: 1 · 3 + 10 · 0 = 3 and
1 · 0 + 10 · 2 = 20. Nothing comes after that.

So every token decides which hidden features take part, and does so for itself alone. Without
ReLU, the results would be 3 − 30 = −27 and −2 + 20 = 18. Between which two steps do yours begin to
differ?""",
    """\
network = FeedForward(1, 2)
network.linear1.weight.data = torch.tensor([[1.0], [-1.0]])
network.linear2.weight.data = torch.tensor([[1.0, 10.0]])
network.linear1.bias.data, network.linear2.bias.data = torch.zeros(2), torch.zeros(1)
network(torch.tensor([[[3.0], [-2.0]]]))""",
    [[[3.0], [20.0]]],
)
SIGNED = WorkedExample(
    """
One feature goes in, two hidden features lie between, and one comes out. Both layers have biases.

The first layer multiplies by 1 and by −1, and adds −1 and 0. The token 3 becomes 1 · 3 − 1 = 2 and
−1 · 3 = −3, and the token −2 becomes 1 · −2 − 1 = −3 and −1 · −2 = 2.

ReLU makes (2, 0) and (0, 2) of these.

The second layer multiplies by −2 and by −3, adds up, and adds 1: −2 · 2 + 1 = −3 and
−3 · 2 + 1 = −5. Nothing comes after that, so both results stay below 0.

A bias is added before ReLU looks at the sign: it decides where a hidden feature begins to take
part. The last bias moves every result alike. Do your hidden features agree, and are your results
negative?""",
    """\
network = FeedForward(1, 2)
network.linear1.weight.data = torch.tensor([[1.0], [-1.0]])
network.linear1.bias.data = torch.tensor([-1.0, 0.0])
network.linear2.weight.data = torch.tensor([[-2.0, -3.0]])
network.linear2.bias.data = torch.tensor([1.0])
network(torch.tensor([[[3.0], [-2.0]]]))""",
    [[[-3.0], [-5.0]]],
)
EXAMPLES = (HIDDEN, SIGNED)
