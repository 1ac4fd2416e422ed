"""What learners get wrong in FeedForward: what shows in training, or in other sizes."""

from __future__ import annotations

from autograder.testing import Variant

from ... import recurring

MISCONCEPTIONS = (
    Variant(
        tag="feed-forward-no-bias",
        description="Makes the linear layers without bias",
        message=recurring.NO_BIAS,
        edits={
            "nn.Linear(d_model, d_ff)": "nn.Linear(d_model, d_ff, bias=False)",
            "nn.Linear(d_ff, d_model)": "nn.Linear(d_ff, d_model, bias=False)",
        },
    ),
    Variant(
        tag="feed-forward-no-gradient",
        description="No gradient comes back: no_grad, detach, NumPy",
        message=recurring.NO_GRADIENT_AT_ALL,
        edits={"return output": "return output.detach()"},
    ),
    Variant(
        tag="feed-forward-layers-frozen",
        description="Trains fewer numbers than the layers of the exercise have",
        message=recurring.LAYERS_FROZEN,
        edits={
            "self.linear2 = nn.Linear(d_ff, d_model)": (
                "self.linear2 = nn.Linear(d_ff, d_model).requires_grad_(False)"
            )
        },
    ),
    Variant(
        tag="feed-forward-trains-too-much",
        description="Trains parameters that the exercise doesn't name",
        message=recurring.TRAINS_TOO_MUCH,
        edits={
            "super().__init__()": (
                "super().__init__()\n        self.scale = nn.Parameter(torch.ones(1))"
            ),
            "self.linear2(hidden)": "self.scale * self.linear2(hidden)",
        },
    ),
    Variant(
        tag="feed-forward-hidden-features-without-gradient",
        description="No gradient reaches linear1: the hidden features are detached",
        message="No gradient gets behind the hidden features, so "
        "linear1 would stay as it was drawn. `detach`, `.data`, NumPy and a new `torch.tensor(…)` "
        "all cut the thread. Which of them stands between your two layers?",
        edits={"F.relu(hidden)": "F.relu(hidden.detach())"},
    ),
    Variant(
        tag="feed-forward-numpy-meets-gradients",
        description="Hands a tensor to NumPy, which fails once gradients are recorded",
        message=recurring.NUMPY_MEETS_GRADIENTS,
        edits={"F.relu(hidden)": "F.relu(torch.from_numpy(hidden.numpy()))"},
    ),
    Variant(
        tag="feed-forward-squeezed",
        description="Squeezes the result: axes of length 1 are lost",
        message=recurring.SQUEEZED,
        edits={"return output": "return output.squeeze()"},
    ),
    Variant(
        tag="feed-forward-single-position-squeezed",
        description="Squeezes the axis of positions: it is lost where a sentence is one token",
        message="A sentence of one token comes back without its axis of positions, as if there "
        "were no sentence. (batch, seq, d_model) goes in and should come out, even where seq is 1. "
        "Which call or index takes that axis away?",
        edits={"return output": "return output.squeeze(1)"},
    ),
    Variant(
        tag="feed-forward-single-sentence-squeezed",
        description="Squeezes the axis of the batch: it is lost where the batch is one sentence",
        message="A batch of one sentence comes back without its first axis, as if there were no "
        "batch. (batch, seq, d_model) goes in and should come out, even where batch is 1. Which "
        "call or index takes that axis away?",
        edits={"return output": "return output.squeeze(0)"},
    ),
    Variant(
        tag="feed-forward-mish",
        description="Mish instead of ReLU",
        message="Between your layers stands Mish, a smooth relative of ReLU. Small negative "
        "features get through it. max(0, …) lets none through.",
        edits={"F.relu(hidden)": "F.mish(hidden)"},
    ),
    Variant(
        tag="feed-forward-selu",
        description="SELU instead of ReLU",
        message="Between your layers stands SELU, which makes positive features a little larger "
        "and lets negative ones through, down to about -1.8. max(0, …) changes no positive number, "
        "and lets no negative one through.",
        edits={"F.relu(hidden)": "F.selu(hidden)"},
    ),
    Variant(
        tag="feed-forward-relu-squared",
        description="Squares the ReLU, as Primer does",
        message="Your hidden features are squared after the ReLU, as in some later models, so 3 "
        "becomes 9. max(0, …) alone leaves 3 as it is.",
        edits={"F.relu(hidden)": "F.relu(hidden).square()"},
    ),
    Variant(
        tag="feed-forward-threshold-above-zero",
        description="Drops features below 0.1, not only those below 0",
        message="Hidden features between 0 and 0.1 become 0 in your network, although they are "
        "positive. Which number does max(0, …) compare with, and which does yours?",
        edits={"F.relu(hidden)": "F.threshold(hidden, 0.1, 0.0)"},
    ),
    Variant(
        tag="feed-forward-no-first-bias",
        description="Makes linear1 without bias",
        message="Your linear1 has no bias, while the exercise asks for `nn.Linear` as it comes, "
        "both times; the formula has b₁ inside max(0, …). Which of its arguments do you set?",
        edits={"nn.Linear(d_model, d_ff)": "nn.Linear(d_model, d_ff, bias=False)"},
    ),
    recurring.keeping(
        tag="feed-forward-result-kept",
        description="Returns the result of the first call of each shape again",
        edits={
            "return output": "return self.kept.setdefault(x.shape, output)",
        },
    ),
    Variant(
        tag="feed-forward-in-half-precision",
        description="Lets the hidden features pass through bfloat16",
        message="Your hidden features pass through numbers of 16 bits, which keep two or three "
        "digits, and the rest is lost. The layers work in float32. Which line changes the type?",
        edits={"hidden = F.relu(hidden)": "hidden = F.relu(hidden).bfloat16().float()"},
    ),
)
