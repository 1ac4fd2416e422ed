"""What learners get wrong in Linear."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
class Linear(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(n_out, n_in) / n_in**0.5)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        output = x @ self.weight.T + self.bias
        return output
"""

# It is named, and so is the error in which gradients break off: one name too many.
NOT_MISTAKES = ("in-numpy",)

MISCONCEPTIONS = (
    Variant(
        tag="linear-bias-unused",
        description="Doesn't add the bias",
        message="Your layer has a bias and makes no use of it, so an input of 0 always gives 0. "
        "Which part of W x + b is missing?",
        edits={" + self.bias": ""},
    ),
    Variant(
        tag="linear-relu",
        description="Applies a ReLU to the result",
        message="Your results are never negative: something cuts off what lies below 0. A linear "
        "layer is linear. Who should decide what comes behind it?",
        edits={"x @ self.weight.T + self.bias": "torch.relu(x @ self.weight.T + self.bias)"},
    ),
)
