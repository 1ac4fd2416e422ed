"""What learners get wrong in SelfAttention: what shows in training, in other sizes or modes."""

from __future__ import annotations

from autograder.testing import Variant

from ....roots import whole_roots
from ... import recurring

MISCONCEPTIONS = (
    Variant(
        tag="self-attention-no-bias",
        description="Makes the linear layers without bias",
        message=recurring.NO_BIAS,
        edits={"nn.Linear(d_model, d_k)": "nn.Linear(d_model, d_k, bias=False)"},
    ),
    Variant(
        tag="self-attention-no-gradient",
        description="No gradient comes back: no_grad, detach, NumPy",
        message=recurring.NO_GRADIENT_AT_ALL,
        edits={"return output, weights": "return output.detach(), weights"},
    ),
    Variant(
        tag="self-attention-layers-frozen",
        description="Trains fewer numbers than the layers of the exercise have",
        message=recurring.LAYERS_FROZEN,
        edits={
            "self.W_K = nn.Linear(d_model, d_k)": (
                "self.W_K = nn.Linear(d_model, d_k).requires_grad_(False)"
            )
        },
    ),
    Variant(
        tag="self-attention-trains-too-much",
        description="Trains parameters that the exercise doesn't name",
        message=recurring.TRAINS_TOO_MUCH,
        edits={
            "super().__init__()": (
                "super().__init__()\n        self.scale = nn.Parameter(torch.ones(1))"
            ),
            "weights @ V": "self.scale * (weights @ V)",
        },
    ),
    Variant(
        tag="self-attention-scores-without-gradient",
        description="No gradient reaches queries and keys: scores or weights detached",
        message=recurring.SCORES_WITHOUT_GRADIENT,
        edits={"torch.softmax(scores, dim=-1)": "torch.softmax(scores.detach(), dim=-1)"},
    ),
    Variant(
        tag="self-attention-numpy-meets-gradients",
        description="Hands a tensor to NumPy, which fails once gradients are recorded",
        message=recurring.NUMPY_MEETS_GRADIENTS,
        edits={"torch.softmax(scores": "torch.softmax(torch.from_numpy(scores.numpy())"},
    ),
    Variant(
        tag="self-attention-dropout",
        description="Drops out in train mode",
        message=recurring.ATTENTION_DROPOUT,
        edits={"weights @ V": "F.dropout(weights, 0.1, self.training) @ V"},
    ),
    *(
        Variant(
            tag=f"self-attention-dropout-always-{told}{where}",
            description=f"Drops out {told} of the weights, in eval mode as well",
            message=recurring.ATTENTION_DROPOUT_ALWAYS,
            same_draws=True,
            edits=edits,
        )
        for told, rate in (("a-tenth", 0.1), ("half", 0.5))
        for where, edits in (
            ("", {"weights @ V": f"F.dropout(weights, {rate}) @ V"}),
            (
                "-and-returned",
                {"output = ": f"weights = F.dropout(weights, {rate})\n        output = "},
            ),
        )
    ),
    Variant(
        tag="self-attention-squeezed",
        description="Squeezes the results: axes of length 1 are lost",
        message=recurring.SQUEEZED,
        edits={"return output, weights": "return output.squeeze(), weights.squeeze()"},
    ),
    Variant(
        tag="self-attention-batch-of-one-squeezed",
        description="Squeezes the first axis: a batch of one sentence loses it",
        message="A batch of one sentence comes back without the axis of the batch. It is as good "
        "as a batch of many: (1, seq, d_k) should come out. Which step drops the axis, and what "
        "was it meant for?",
        edits={"return output, weights": "return output.squeeze(0), weights.squeeze(0)"},
    ),
    Variant(
        tag="self-attention-output-squeezed",
        description="Squeezes the output: axes of length 1 are lost",
        message=recurring.SQUEEZED,
        edits={"return output, weights": "return output.squeeze(), weights"},
    ),
    Variant(
        tag="self-attention-softmax-unshifted",
        description="Softmax by hand without subtracting the maximum: overflows",
        message=recurring.UNSHIFTED,
        edits={
            "torch.softmax(scores, dim=-1)": (
                "torch.exp(scores) / torch.exp(scores).sum(dim=-1, keepdim=True)"
            )
        },
    ),
    Variant(
        tag="self-attention-softmax-unshifted-with-epsilon",
        description="Softmax by hand without subtracting the maximum, and a tiny number in the sum",
        message=recurring.UNSHIFTED,
        edits={
            "torch.softmax(scores, dim=-1)": (
                "torch.exp(scores) / (torch.exp(scores).sum(dim=-1, keepdim=True) + 1e-9)"
            )
        },
    ),
    Variant(
        tag="self-attention-shifted-by-the-largest-of-all",
        description="Subtracts the maximum of the whole tensor: rows underflow",
        message=recurring.SHIFTED_BY_ALL,
        edits={
            "        weights =": (
                "        powers = torch.exp(scores - scores.max())\n        weights ="
            ),
            "torch.softmax(scores, dim=-1)": "powers / powers.sum(dim=-1, keepdim=True)",
        },
    ),
    Variant(
        tag="self-attention-scaled-by-half-of-d-k",
        description="Divides by d_k ** 1 / 2, which is half of d_k",
        message=recurring.HALF_INSTEAD_OF_ROOT,
        edits={"math.sqrt(self.d_k)": "(self.d_k**1 / 2)"},
    ),
    Variant(
        tag="self-attention-scaled-by-twice-d-k",
        description="Multiplies by d_k ** -1 / 2, which is half of 1/d_k",
        message=recurring.TWICE_INSTEAD_OF_ROOT,
        edits={"math.sqrt(self.d_k)": "(2 * self.d_k)"},
    ),
    *whole_roots("self-attention", "math.sqrt(self.d_k)", "d_k"),
    Variant(
        tag="self-attention-scaled-on-one-side",
        description="Divides by the fourth root of d_k (queries scaled, keys not)",
        message=recurring.SCALED_ON_ONE_SIDE,
        edits={"math.sqrt(self.d_k)": "self.d_k**0.25"},
    ),
    *recurring.scaled_by_a_constant("self-attention", "math.sqrt(self.d_k)"),
    Variant(
        tag="self-attention-changes-its-input",
        description="Changes X in place",
        message="After a call, X isn't what it was: something in your code works in place on the "
        "tensor of its caller. Names that end in an underscore, `+=` and `X[…] = …` change what "
        "they are given: which is it?",
        edits={"batch, seq, d_model = X.shape": "batch, seq, d_model = X.div_(2).shape"},
    ),
    Variant(
        tag="self-attention-layers-drawn-in-forward",
        description="Makes new layers in each call of forward",
        message=recurring.LAYERS_IN_FORWARD,
        edits={
            f"self.W_{each}(X)": "nn.Linear(X.shape[-1], self.W_Q.out_features)(X)"
            for each in "QKV"
        },
    ),
    recurring.keeping(
        tag="self-attention-keys-kept",
        description="Keeps the keys of the first call of each shape, and uses them again",
        edits={"self.W_K(X)": "self.kept.setdefault(X.shape, self.W_K(X))"},
    ),
    recurring.keeping(
        tag="self-attention-scores-kept",
        description="Keeps the scores of the first call of each shape, and uses them again",
        edits={
            "        weights =": (
                "        scores = self.kept.setdefault(X.shape, scores)\n        weights ="
            ),
        },
    ),
    recurring.keeping(
        tag="self-attention-results-kept",
        description="Returns the results of the first call of each shape again",
        edits={
            "return output, weights": "return self.kept.setdefault(X.shape, (output, weights))",
        },
    ),
)
