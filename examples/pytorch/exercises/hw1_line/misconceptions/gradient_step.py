"""What learners get wrong in gradient_step."""

from __future__ import annotations

from autograder.testing import Variant

REFERENCE = """\
def gradient_step(model, x, wanted, rate):
    for parameter in model.parameters():
        parameter.grad = None
    loss = ((model(x) - wanted) ** 2).mean()
    loss.backward()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter -= rate * parameter.grad
    result = loss.item()
    return result
"""

# A float is asked for, neither a list nor a tensor, and the step is the same if it is rounded.
NOT_MISTAKES = ("rounded", "rounded-coarsely", "plain-list", "list-of-rows", "in-numpy")

MISCONCEPTIONS = (
    Variant(
        tag="gradient-step-uphill",
        description="Adds the gradient in place of subtracting it",
        message="Your step goes uphill: the gradient says which way the loss grows. Which sign "
        "takes you to where it shrinks?",
        edits={"-= rate": "+= rate"},
    ),
    Variant(
        tag="gradient-step-piles-up",
        description="Doesn't clear the gradients before",
        message="Your second step still carries the gradient of the first. `backward` adds to what "
        "is there: who takes away what an earlier call has left?",
        edits={"parameter.grad = None": "pass"},
    ),
    Variant(
        tag="gradient-step-no-rate",
        description="Ignores the rate",
        message="Your step is as long as the gradient, whatever the rate. With a rate of 0, should "
        "anything move?",
        edits={"rate * parameter.grad": "parameter.grad"},
    ),
)
