"""What learners get wrong in sliding_window_attention: tensor."""

from __future__ import annotations

from autograder.testing import Variant

MISCONCEPTIONS = (
    Variant(
        tag="sliding-window-averages-the-keys",
        description="Averages the keys instead of the values",
        message="Your weights average the *keys*. Keys are what tokens are found by; what they "
        "hand over when found is another tensor. Which of your three inputs is never used?",
        edits={"V[:, start:stop]": "K[:, start:stop]"},
    ),
    Variant(
        tag="sliding-window-queries-and-keys-swapped",
        description="Row i compares the key of token i with the queries around it",
        message="Row i of your scores compares the *key* of token i with the queries around it. "
        "The softmax should divide the attention of a *query*.",
        edits={"Q[:, i], K[:, start:stop]": "K[:, i], Q[:, start:stop]"},
    ),
    Variant(
        tag="sliding-window-changes-its-input",
        description="Scales Q in place: the caller's tensor is changed",
        message="Your values are right, but an input is no longer what it was. A quotient or a sum "
        "makes a new tensor. What writes into the one that you were given is an assignment to a "
        "part of it, one that computes and assigns at once, or a function whose name ends with an "
        "underscore. Look for such a line.",
        edits={
            "    output = torch": "    Q /= math.sqrt(d)\n    output = torch",
            "        scores = scores / math.sqrt(d)\n": "",
        },
    ),
    Variant(
        tag="sliding-window-squeezed",
        description="Squeezes the result: axes of length 1 are lost",
        message="Your result has lost an axis of length 1. `squeeze` without a number drops every "
        "such axis, be it that of a batch of one sentence or that of a single token. The result "
        "should have three axes, whatever their lengths.",
        edits={"return output": "return output.squeeze()"},
    ),
)
